import type { ComponentSetStore } from '../store/component-set-store';
import { isApplied } from '../store/feed-state-store';
import type { DataStatusDeps } from './read-feeds';

/**
 * The revision in force, and whether all that follows from it was done here: results evaluated
 * (`applied`), others told of those that changed (`announced`).
 */
export async function readDataStatus(
  deps: Pick<DataStatusDeps, 'feed'> & { sets: Pick<ComponentSetStore, 'hasUnpublished'> },
): Promise<{ revision: number; applied: boolean; announced: boolean }> {
  // In this order: what is settled in between is noted as not announced before that.
  const state = await deps.feed.read();
  const announced = !(await deps.sets.hasUnpublished());
  return { revision: state.revision, applied: isApplied(state), announced };
}
