import { AppError } from '@bomtrail/messages';
import { hideDeleted, type HideDeletedDeps } from './hide-deleted';

/**
 * Deletes a project: tombstone, out of every read, told. What is left of it is purged afterwards.
 * Repeating it after a failure resumes where it stopped; of several callers exactly one succeeds.
 *
 * @throws AppError `project_not_found`; `service_unavailable` while an owner cannot hide what it has
 */
export async function deleteProject(deps: HideDeletedDeps, projectId: string): Promise<void> {
  await deps.deletions.beginProject(projectId, new Date());
  const deletion = await deps.deletions.byId(projectId);
  if (deletion?.kind !== 'project' || !(await hideDeleted(deps, deletion))) {
    throw new AppError('project_not_found');
  }
}
