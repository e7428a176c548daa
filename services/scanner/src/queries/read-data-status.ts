import type { ComponentSetStore } from '../matching/store/component-set-store';
import { isApplied } from '../feeds/domain/feed-state';
import type { DataStatusDeps } from './read-feeds';

/**
 * Returns the revision in force, whether it is applied to all results (`applied`), and whether all
 * rescans were requested (`rescans_requested`).
 */
export async function readDataStatus(
  deps: Pick<DataStatusDeps, 'feed'> & { sets: Pick<ComponentSetStore, 'hasUnpublished'> },
): Promise<{ revision: number; applied: boolean; rescans_requested: boolean }> {
  // In this order: changes applied in between are recorded as unpublished before.
  const state = await deps.feed.read();
  const rescans_requested = !(await deps.sets.hasUnpublished());
  return { revision: state.revision, applied: isApplied(state), rescans_requested };
}
