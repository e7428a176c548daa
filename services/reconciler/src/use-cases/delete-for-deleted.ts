import type { DeletionProgress } from '@bomtrail/messages';
import type { DeletionStore } from '../store/deletion-store';

export interface DeletionDeps {
  deletions: DeletionStore;
}

/**
 * Rows that are removed for one question, each with its entries in some twenty indexes: so few that a read
 * beside it waits for some milliseconds only.
 */
const batchSize = 25;

/**
 * A deleted project: no read shows anything of it when this resolves, no late scan and no acceptance
 * adds to it, and a batch of what is stored is removed, unless it is only to be hidden: then somebody
 * waits for the answer.
 */
export async function deleteProjectFor(
  deps: DeletionDeps,
  { project_id, hide_only }: { project_id: string; hide_only?: boolean | undefined },
): Promise<DeletionProgress> {
  await deps.deletions.hideProject(project_id);
  return hide_only ? { more: true } : deps.deletions.purgeProject(project_id, batchSize);
}

/** The same for one service of a project that stays. */
export async function deleteServiceFor(
  deps: DeletionDeps,
  service: { service_id: string; project_id: string; hide_only?: boolean | undefined },
): Promise<DeletionProgress> {
  await deps.deletions.hideService(service);
  return service.hide_only
    ? { more: true }
    : deps.deletions.purgeService(service.service_id, batchSize);
}
