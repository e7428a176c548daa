import type { ComponentSetStore } from '../store/component-set-store';
import { isSettled } from '../store/feed-state-store';
import type { StandingsDeps } from './read-feeds';

/**
 * The revision in force, and whether all that follows from it was done here: results evaluated
 * (`settled`), others told of those that changed (`announced`).
 */
export async function readStanding(
  deps: Pick<StandingsDeps, 'feed'> & { sets: Pick<ComponentSetStore, 'hasUnannounced'> },
): Promise<{ revision: number; settled: boolean; announced: boolean }> {
  // In this order: what is settled in between is noted as not announced before that.
  const state = await deps.feed.read();
  const announced = !(await deps.sets.hasUnannounced());
  return { revision: state.revision, settled: isSettled(state), announced };
}
