import { AppError, maxSetsRead, readCoverages, type Coverage } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { coverageView, type CoverageView } from '../sboms/domain/coverage-view';

/** Of a component set; null or absent: none is stored. */
type Digest = string | null | undefined;

/** The coverage of each component set; null if it was not evaluated, and of all while the scanner is away. */
export async function readCoverageOfLists(
  { request }: { request: Request },
  given: readonly Digest[],
): Promise<(digest: Digest) => CoverageView | null> {
  const digests = [...new Set(given)].filter((one) => typeof one === 'string');
  const coverageOf = new Map<Digest, Coverage>();
  for (let from = 0; from < digests.length; from += maxSetsRead) {
    const some = digests.slice(from, from + maxSetsRead);
    const read = await request(readCoverages, { digests: some }).catch(ifAway);
    for (const [digest, coverage] of Object.entries(read?.body.coverages ?? {}))
      coverageOf.set(digest, coverage);
  }
  return (digest) => coverageView(coverageOf.get(digest) ?? null);
}

function ifAway(error: unknown): null {
  if (error instanceof AppError && error.code === 'service_unavailable') return null;
  throw error;
}
