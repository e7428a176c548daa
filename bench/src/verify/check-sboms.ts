import { BenchFailure } from '../bench-failure';
import type { Api, SbomState } from '../load/api';
import { inParallel } from '../load/in-parallel';
import { untilScanned } from './until-scanned';

const readers = 4;
const wait = { pauseMs: 20, timeoutMs: 60_000 };

/**
 * Reads every SBOM until it is scanned and checks how many vulnerabilities it has. Gives the moment of
 * the last `scanned_at` in milliseconds since 1970 by the clock of the stack, which runs on this machine.
 * Fails with a `BenchFailure` on the first wrong one.
 */
export async function checkSboms(options: {
  api: Api;
  ids: readonly string[];
  /** By the index of the SBOM in `ids`, where they differ. */
  vulnerabilities: number | readonly number[];
  signal: AbortSignal;
}): Promise<number> {
  const { ids, vulnerabilities } = options;
  const scannedAt = await inParallel(ids, readers, async (id, index) => {
    const sbom = await untilScanned(options, id, wait);
    const wanted = typeof vulnerabilities === 'number' ? vulnerabilities : vulnerabilities[index];
    requireVulnerabilities(sbom, wanted);
    return Date.parse(sbom.scanned_at);
  });
  return scannedAt.reduce((latest, moment) => Math.max(latest, moment), 0);
}

/** Fails with a `BenchFailure` unless the SBOM has that many vulnerabilities. */
export function requireVulnerabilities(sbom: SbomState, wanted: number | undefined): void {
  const found = sbom.vulnerabilities.length;
  if (found === wanted) return;
  throw new BenchFailure(
    `wrong result: SBOM ${sbom.id} has ${found} vulnerabilities, not ${wanted}`,
  );
}
