import type { SbomReference } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { ScanCache } from './scan-cache';
import type { Observation } from './domain/types';
import type { DetailsStore } from './store/details-store';
import { foldIfTooLarge, type ScanResult } from './read-scans';

export interface ReadScansDeps {
  details: DetailsStore;
  request: Request;
  /** Shared by services with the same component sets. */
  scans: ScanCache;
}

/** Reads the findings of an upload's component set, at least of this revision. */
export type FindingsReader = (snapshot: number | undefined) => Promise<ScanResult>;

/**
 * Starts reading the findings of an upload's component set while its service is read. The scan message has
 * the advisory revision of its evaluation; later changes reach the service as re-scans (ADR 0023). Cached
 * findings therefore suffice unless the service reflects later ones; if its revision is unknown, the scanner
 * is queried.
 */
export function findingsOf(
  deps: ReadScansDeps,
  { digest, evaluated_revision }: SbomReference,
): FindingsReader {
  const readNow = (): Promise<ScanResult> => deps.scans.readNow({ digest, packages: null });
  const atLeast = (revision: number): Promise<ScanResult> =>
    evaluated_revision === undefined
      ? readNow()
      : deps.scans.readAt({ digest, packages: null }, revision);
  let latest = atLeast(evaluated_revision ?? 0);
  // The reader reports the failure.
  latest.catch(() => undefined);
  return async (snapshot) => {
    if (snapshot === undefined) {
      latest = readNow();
      return latest;
    }
    const read = await latest;
    if (read.revision >= snapshot) return read;
    latest = atLeast(snapshot);
    return latest;
  };
}

/** The findings of several component sets. `revision`: their minimum; 0 if there are none. */
export interface Scans {
  observations: Map<string, readonly Observation[]>;
  revision: number;
  /** The maximum revision of the sets. */
  newest: number;
}

/**
 * Reads the scans of component sets in one batch; their details are stored.
 *
 * @throws TooLargeError if all packages are requested and a set has too many findings
 * @param options `atLeast`: the minimum revision; cached scans may be used; 0 (default) reads the current
 *   findings. `packages`: limits the read. `isWhole`: folds sets with too many findings instead of throwing
 */
export async function scansOf(
  deps: ReadScansDeps,
  digests: readonly string[],
  options: { atLeast: number; packages?: readonly string[] | undefined; isWhole?: true } = {
    atLeast: 0,
  },
): Promise<Scans> {
  const { atLeast, packages = null, isWhole } = options;
  const distinct = [...new Set(digests)];
  const read = (digest: string): Promise<ScanResult> => {
    if (atLeast > 0) return deps.scans.readAt({ digest, packages }, atLeast);
    const now = deps.scans.readNow({ digest, packages });
    return isWhole
      ? foldIfTooLarge({ request: deps.request, storeDetails: deps.details.save }, digest, now)
      : now;
  };
  const scans: Scans = { observations: new Map(), revision: Number.MAX_SAFE_INTEGER, newest: 0 };
  const found = await Promise.all(distinct.map(read));
  for (const [index, { observations, revision }] of found.entries()) {
    scans.observations.set(distinct[index] ?? '', observations);
    scans.revision = Math.min(scans.revision, revision);
    scans.newest = Math.max(scans.newest, revision);
  }
  return scans.observations.size > 0 ? scans : { ...scans, revision: 0 };
}
