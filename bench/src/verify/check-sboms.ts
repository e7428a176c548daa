import { BenchFailure } from '../bench-failure';
import type { Api, SbomState } from '../load/api';
import { inParallel } from '../load/in-parallel';
import { pollUntil } from '../load/poll';

const readers = 4;
const pendingTimeoutMs = 60_000;

/**
 * Reads every SBOM until it is scanned and checks that it has as many vulnerabilities as the reference.
 * Gives the moment of the last `scanned_at` in milliseconds since 1970 by the clock of the stack, which
 * runs on this machine. Fails with a `BenchFailure` on the first wrong one.
 */
export async function checkSboms(options: {
  api: Api;
  ids: readonly string[];
  vulnerabilities: number;
  signal: AbortSignal;
}): Promise<number> {
  const scannedAt = await inParallel(options.ids, readers, async (id) => {
    const sbom = await pollUntil(() => readUnlessPending(options.api, id), {
      pauseMs: 20,
      timeoutMs: pendingTimeoutMs,
      signal: options.signal,
      waitingFor: () => `SBOM ${id} is pending`,
    });
    requireSame(sbom, options.vulnerabilities);
    return Date.parse(sbom.scanned_at ?? '');
  });
  return scannedAt.reduce((latest, moment) => Math.max(latest, moment), 0);
}

/** Fails with a `BenchFailure` unless the SBOM is scanned and has that many vulnerabilities. */
export function requireSame(sbom: SbomState, vulnerabilities: number): void {
  if (sbom.scan_status !== 'scanned' || sbom.scanned_at === null) {
    throw new BenchFailure(`the scan of SBOM ${sbom.id} is ${sbom.scan_status}`);
  }
  const found = sbom.vulnerabilities.length;
  if (found === vulnerabilities) return;
  throw new BenchFailure(
    `wrong result: SBOM ${sbom.id} has ${found} vulnerabilities, the reference has ${vulnerabilities}`,
  );
}

async function readUnlessPending(api: Api, id: string): Promise<SbomState | undefined> {
  const sbom = await api.readSbom(id);
  return sbom.scan_status === 'pending' ? undefined : sbom;
}
