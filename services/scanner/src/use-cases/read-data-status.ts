import type { ComponentSetStore } from '../store/component-set-store';
import { isApplied } from '../store/feed-state-store';
import type { DataStatusDeps } from './read-feeds';

/**
 * The revision in force, and whether all that follows from it was done here: results evaluated
 * (`applied`), re-scans of the changed ones requested (`rescans_requested`).
 */
export async function readDataStatus(
  deps: Pick<DataStatusDeps, 'feed'> & { sets: Pick<ComponentSetStore, 'hasUnpublished'> },
): Promise<{ revision: number; applied: boolean; rescans_requested: boolean }> {
  // In this order: a change that is evaluated in between has not requested its re-scans yet.
  const state = await deps.feed.read();
  const rescans_requested = !(await deps.sets.hasUnpublished());
  return { revision: state.revision, applied: isApplied(state), rescans_requested };
}
