import type { ApiClient } from './client';
import type { SbomDetail } from './types';

const pollMs = 25;

/**
 * Waits until an SBOM is scanned and returns its detail.
 *
 * @param withinMs time limit
 * @throws Error if the scan fails or does not finish in time
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
      throw new Error(`The scan of SBOM ${id} failed: ${detail.scan_error ?? 'reason unknown'}`);
    }
    if (Date.now() > deadline) {
      throw new Error(`The scan of SBOM ${id} did not finish within ${withinMs} ms.`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
