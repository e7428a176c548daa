import type { AdvisoryData, Coverage } from '@bomtrail/messages';
import { advisoryDataOf, coverageOf } from './domain/coverage';
import type { ComponentSetStore } from '../matching/store/component-set-store';
import type { DataStatusDeps } from './read-feeds';

export interface ReadCoverageDeps extends DataStatusDeps {
  sets: ComponentSetStore;
}

/**
 * Returns the coverage of a set, null when it was not evaluated yet; for a null digest only the
 * advisory data.
 */
export async function readCoverage(
  deps: ReadCoverageDeps,
  digest: string | null,
): Promise<{ coverage: Coverage | null; advisory_data: AdvisoryData; revision: number }> {
  const [state, counts] = await Promise.all([
    deps.feed.read(),
    digest === null ? null : deps.sets.readCounts(digest),
  ]);
  const { revision } = state;
  if (counts === null) return { coverage: null, advisory_data: state.data, revision };
  const dataStatus = deps.dataStatusIn(state);
  return {
    coverage: coverageOf(counts, dataStatus),
    advisory_data: advisoryDataOf(counts, dataStatus, state.data),
    revision,
  };
}

/** Returns the coverage of each of the sets that was evaluated, by digest. */
export async function readCoverages(
  deps: ReadCoverageDeps,
  digests: readonly string[],
): Promise<Record<string, Coverage>> {
  const [state, counts] = await Promise.all([
    deps.feed.read(),
    deps.sets.readCountsOfSets(digests),
  ]);
  const dataStatus = deps.dataStatusIn(state);
  return Object.fromEntries(
    [...counts].map(([digest, ofSet]) => [digest, coverageOf(ofSet, dataStatus)]),
  );
}
