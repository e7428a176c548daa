import { AppError } from '@bomtrail/messages';
import { hideDeleted, type HideDeletedDeps } from './hide-deleted';

/**
 * Deletes a project: tombstone, hidden from every read, acknowledged. Its data are purged
 * afterwards. Repeating it after a failure resumes; exactly one of several callers succeeds.
 *
 * @throws AppError `project_not_found`; `service_unavailable` while an owner cannot hide its data
 */
export async function deleteProject(deps: HideDeletedDeps, projectId: string): Promise<void> {
  await deps.deletions.beginProject(projectId, new Date());
  const deletion = await deps.deletions.byId(projectId);
  if (deletion?.kind !== 'project' || !(await hideDeleted(deps, deletion))) {
    throw new AppError('project_not_found');
  }
}
