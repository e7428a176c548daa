import {
  deleteServiceData,
  deleteProjectData,
  deleteScans,
  type AcknowledgingOwner,
  type DeletionProgress,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { DeletionStore } from '../store/deletion-store';
import type { DeletionDocument } from '../store/documents';

export interface HideDeletedDeps {
  deletions: DeletionStore;
  request: Request;
}

/** An owner that is asked to forget; ingest hears of the records instead (`dropRecords`). */
export type AskedOwner = Exclude<AcknowledgingOwner, 'ingest'>;

/**
 * Who shows things of what was deleted, beside the catalog. The gateway comes last: the key of whoever
 * deletes the project may be bound to it, and is needed to repeat the delete when another one fails.
 */
function ownersThatShow(deletion: DeletionDocument): readonly AskedOwner[] {
  return deletion.kind === 'project' ? ['reconciler', 'notifier', 'gateway'] : ['reconciler'];
}

/** Who keeps things of what was deleted, beside the catalog: the tombstone closes when all have none left. */
export function ownersOf(deletion: DeletionDocument): readonly AcknowledgingOwner[] {
  return deletion.kind === 'project'
    ? ['ingest', 'scanner', 'reconciler', 'notifier', 'gateway']
    : ['ingest', 'scanner', 'reconciler'];
}

/**
 * Asks an owner to forget what was deleted, one batch of it.
 *
 * @param hideOnly nothing is removed yet that reads do not show anyway
 * @throws AppError `service_unavailable`
 */
export async function askToForget(
  deps: HideDeletedDeps,
  deletion: DeletionDocument,
  { owner, hideOnly }: { owner: AskedOwner; hideOnly: boolean },
): Promise<DeletionProgress> {
  const { _id, kind, project_id } = deletion;
  const service_id = kind === 'project' ? null : _id;
  const ask = () => {
    if (owner === 'scanner') return deps.request(deleteScans, { project_id, service_id });
    if (service_id === null)
      return deps.request(deleteProjectData(owner), { project_id, hide_only: hideOnly });
    return deps.request(deleteServiceData, { project_id, service_id, hide_only: hideOnly });
  };
  return (await ask()).body;
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
  if (deletion.kind === 'project') await deps.deletions.dropServicesOf(deletion._id);
  for (const owner of ownersThatShow(deletion)) {
    await askToForget(deps, deletion, { owner, hideOnly: true });
  }
  return deps.deletions.tell(deletion._id, new Date());
}
