import type { ApiClient, SbomDetail } from './client';

const pollMs = 25;

/**
 * Waits until an SBOM is scanned and gives its detail.
 *
 * @param withinMs how long to wait
 * @throws Error when the scan failed, or did not end in time
 */
export async function waitForScan(
  client: Pick<ApiClient, 'sbom'>,
  id: string,
  withinMs: number,
): Promise<SbomDetail> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const detail = await client.sbom(id);
    if (detail.scan_status === 'scanned') return detail;
    if (detail.scan_status === 'failed') {
      throw new Error(
        `The scan of SBOM ${id} failed: ${detail.scan_error ?? 'no reason is known'}`,
      );
    }
    if (Date.now() > deadline) {
      throw new Error(`The scan of SBOM ${id} did not end within ${withinMs} ms.`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
