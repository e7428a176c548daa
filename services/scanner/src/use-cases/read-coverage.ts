import type { AdvisoryData, Coverage } from '@bomtrail/messages';
import { coverageOf } from '../domain/coverage';
import type { ComponentSetStore } from '../store/component-set-store';
import type { StandingsDeps } from './read-feeds';

export interface ReadCoverageDeps extends StandingsDeps {
  sets: ComponentSetStore;
}

/** How much of a set could be judged, null when it was not evaluated yet; without a digest, only on what data. */
export async function readCoverage(
  deps: ReadCoverageDeps,
  digest: string | null,
): Promise<{ coverage: Coverage | null; advisory_data: AdvisoryData }> {
  const [state, counts] = await Promise.all([
    deps.feed.read(),
    digest === null ? null : deps.sets.readCounts(digest),
  ]);
  const coverage = counts && coverageOf(counts, deps.standingsIn(state));
  return { coverage, advisory_data: state.data };
}
