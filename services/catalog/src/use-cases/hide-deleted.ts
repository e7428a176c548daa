import {
  deleteServiceData,
  deleteProjectData,
  deleteScans,
  type AcknowledgingOwner,
  type DeletionProgress,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { DeletionStore } from '../store/deletion-store';
import type { DeletionDocument } from '../store/documents';

export interface HideDeletedDeps {
  deletions: DeletionStore;
  request: Request;
}

/** An owner that deletes data on request; ingest is notified of records instead (`dropRecords`). */
export type DeletionOwner = Exclude<AcknowledgingOwner, 'ingest'>;

/**
 * Owners besides the catalog whose reads return deleted data. The gateway is last: the caller's key
 * may be bound to the project, and is needed to repeat the delete after a failure.
 */
function ownersToHide(deletion: DeletionDocument): readonly DeletionOwner[] {
  return deletion.kind === 'project' ? ['reconciler', 'notifier', 'gateway'] : ['reconciler'];
}

/**
 * Owners besides the catalog with data of a deletion; the tombstone closes when none has data left.
 */
export function ownersOf(deletion: DeletionDocument): readonly AcknowledgingOwner[] {
  return deletion.kind === 'project'
    ? ['ingest', 'scanner', 'reconciler', 'notifier', 'gateway']
    : ['ingest', 'scanner', 'reconciler'];
}

/**
 * Requests one batch of deletion from an owner.
 *
 * @param hideOnly only hide the data from reads
 * @throws AppError `service_unavailable`
 */
export async function deleteDataAt(
  deps: HideDeletedDeps,
  deletion: DeletionDocument,
  { owner, hideOnly }: { owner: DeletionOwner; hideOnly: boolean },
): Promise<DeletionProgress> {
  const { _id, kind, project_id } = deletion;
  const service_id = kind === 'project' ? null : _id;
  const send = () => {
    if (owner === 'scanner') return deps.request(deleteScans, { project_id, service_id });
    if (service_id === null)
      return deps.request(deleteProjectData(owner), { project_id, hide_only: hideOnly });
    return deps.request(deleteServiceData, { project_id, service_id, hide_only: hideOnly });
  };
  return (await send()).body;
}

/**
 * Hides deleted data from every read, here and at all owners. Returns true to exactly one of
 * several callers, which may acknowledge the delete.
 *
 * @throws AppError `service_unavailable` while an owner does not respond
 */
export async function hideDeleted(
  deps: HideDeletedDeps,
  deletion: DeletionDocument,
): Promise<boolean> {
  if (deletion.responded_at !== null) return false;
  // Services are removed first: data registered later would not be deleted.
  if (deletion.kind === 'project') await deps.deletions.dropServicesOf(deletion._id);
  for (const owner of ownersToHide(deletion)) {
    await deleteDataAt(deps, deletion, { owner, hideOnly: true });
  }
  return deps.deletions.claimResponse(deletion._id, new Date());
}
