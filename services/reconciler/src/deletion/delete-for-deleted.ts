import type { DeletionProgress } from '@bomtrail/messages';
import type { DeletionStore } from './ports';
import type { Service } from '../tracking/domain/types';

export interface DeletionDeps {
  deletions: DeletionStore;
}

/**
 * Vulnerabilities removed per request: few enough that concurrent reads wait a few milliseconds only.
 */
const batchSize = 25;

/**
 * Deletes a project: when this resolves, no read shows it and no late scan or acceptance adds to it. Also
 * removes one batch of its data, unless `hide_only` is set because a user waits.
 */
export async function deleteProjectFor(
  deps: DeletionDeps,
  { project_id, hide_only }: { project_id: string; hide_only?: boolean | undefined },
): Promise<DeletionProgress> {
  await deps.deletions.hideProject(project_id);
  return hide_only ? { more: true } : deps.deletions.purgeProject(project_id, batchSize);
}

/** The same for one service of an existing project. */
export async function deleteServiceFor(
  deps: DeletionDeps,
  service: Service & { hide_only?: boolean | undefined },
): Promise<DeletionProgress> {
  await deps.deletions.hideService(service);
  return service.hide_only
    ? { more: true }
    : deps.deletions.purgeService(service.service_id, batchSize);
}
