import { AppError, isInScope, type ProjectScope } from '@bomtrail/messages';
import type { ServiceStore } from '../store/service-store';
import { hideDeleted, type HideDeletedDeps } from './hide-deleted';

/**
 * Deletes a service, with its SBOMs only if `cascade`. Repeating it after a failure resumes;
 * exactly one of several callers succeeds.
 *
 * @param input `project_id`: the only projects that exist for the caller; null: all
 * @throws AppError `service_not_found`, `service_has_sboms`; `service_unavailable` while the
 * reconciler cannot
 * hide its data
 */
export async function deleteService(
  deps: HideDeletedDeps & { services: ServiceStore },
  input: { service_id: string; cascade: boolean; project_id: ProjectScope | null },
): Promise<void> {
  const { service_id, cascade, project_id } = input;
  const service = await deps.services.byId(service_id);
  if (service && service.name !== null && isInScope(project_id, service.project_id)) {
    const begun = await deps.deletions.beginService(service, {
      withSboms: cascade,
      now: new Date(),
    });
    if (!begun && (await deps.services.byId(service_id))) throw new AppError('service_has_sboms');
  }
  const deletion = await deps.deletions.byId(service_id);
  if (
    deletion?.kind !== 'service' ||
    !isInScope(project_id, deletion.project_id) ||
    !(await hideDeleted(deps, deletion))
  ) {
    throw new AppError('service_not_found');
  }
}
