import type { SbomReference } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { ScanCache } from '../cache/scan-cache';
import type { Observation } from '../domain/types';
import type { DetailsStore } from '../store/details-store';
import { foldIfTooLarge, type ScanResult } from './read-scans';

export interface ReadScansDeps {
  details: DetailsStore;
  request: Request;
  /** What lines with the same component sets share. */
  scans: ScanCache;
}

/** The findings of an upload's component set; where those at hand are older than this revision, read again. */
export type FindingsReader = (snapshot: number | undefined) => Promise<ScanResult>;

/**
 * Asks for the findings of an upload's component set while its line is read. The scan says for which
 * advisory revision they were right when it ended; a change that came into force later is told to the
 * line as one (ADR 0023). So what is kept here will do, as long as nothing that the line shows is
 * younger; where it is not known what the line shows, the scanner is asked anew.
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
  // Whoever asks for it sees the failure.
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

/** What the scanner says of several component sets, all at least as of `revision` (0 when there is none). */
export interface Scans {
  observations: Map<string, readonly Observation[]>;
  revision: number;
  /** The latest revision that one of them is right for. */
  newest: number;
}

/**
 * The scans of these component sets, with the details that their rows will refer to already stored.
 * Several are read together.
 *
 * @throws TooLargeError where all packages are looked at and one of the sets has too many findings
 * @param asked `isWhole`: sets with too many findings are folded instead of refused; the revision that they must be right for, whereupon they may be what others have read,
 *   and the packages that are looked at; 0, the default: the scanner is asked anew
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
