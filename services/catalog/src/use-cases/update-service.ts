import { AppError, isInScope, type ProjectScope, type ServiceView } from '@bomtrail/messages';
import { ownershipChanges, type GivenOwnership } from '../domain/ownership';
import type { SbomStore } from '../store/sbom-store';
import type { ServiceStore } from '../store/service-store';
import { serviceViews } from './service-views';

/**
 * Changes who is responsible for a named service.
 *
 * @param input `project_id`: the only projects that exist for the caller; null: all
 * @throws AppError `service_not_found`
 */
export async function updateService(
  deps: { services: ServiceStore; sboms: SbomStore },
  input: { service_id: string; project_id: ProjectScope | null; changes: GivenOwnership },
): Promise<ServiceView> {
  const service = await deps.services.byId(input.service_id);
  if (!service || service.name === null || !isInScope(input.project_id, service.project_id))
    throw new AppError('service_not_found');
  const changes = ownershipChanges(input.changes);
  const isSame = Object.keys(changes).length === 0;
  const changed = isSame ? service : await deps.services.changeOwnership(service._id, changes);
  const [view] = await serviceViews(deps, changed ? [changed] : []);
  if (!view) throw new AppError('service_not_found');
  return view;
}
