import {
  forgetLine,
  forgetProject,
  type ForgetAnswer,
  type OwnerOfProjectData,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { DeletionStore } from '../store/deletion-store';
import type { DeletionDocument } from '../store/documents';

export interface HideDeletedDeps {
  deletions: DeletionStore;
  request: Request;
}

/**
 * Who keeps things of what was deleted, beside the catalog. The gateway comes last: the key of whoever
 * deletes the project may be bound to it, and is needed to repeat the delete when another one fails.
 */
export function ownersOf(deletion: DeletionDocument): readonly OwnerOfProjectData[] {
  return deletion.kind === 'project' ? ['reconciler', 'notifier', 'gateway'] : ['reconciler'];
}

/** Asks an owner to forget what was deleted, one batch of it. @throws AppError `service_unavailable` */
export async function askToForget(
  deps: HideDeletedDeps,
  deletion: DeletionDocument,
  owner: OwnerOfProjectData,
): Promise<ForgetAnswer> {
  const { _id, kind, project_id } = deletion;
  const answer =
    kind === 'project'
      ? await deps.request(forgetProject(owner), { project_id })
      : await deps.request(forgetLine, { project_id, line_id: _id });
  return answer.body;
}

/**
 * Takes what was deleted out of every read, here and at all owners. Gives `true` to exactly one of
 * several callers: the one that may say that it is done.
 *
 * @throws AppError `service_unavailable` while an owner does not answer
 */
export async function hideDeleted(
  deps: HideDeletedDeps,
  deletion: DeletionDocument,
): Promise<boolean> {
  if (deletion.told_at !== null) return false;
  // The lines go before the owners are asked: what is registered later would not be forgotten.
  if (deletion.kind === 'project') await deps.deletions.dropLinesOf(deletion._id);
  for (const owner of ownersOf(deletion)) await askToForget(deps, deletion, owner);
  return deps.deletions.tell(deletion._id, new Date());
}
