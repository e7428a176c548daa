import { AppError, isInScope, type ProjectScope, type ServiceView } from '@bomtrail/messages';
import { ownershipChanges, type GivenOwnership } from '../domain/ownership';
import type { ServiceStore } from '../store/service-store';
import { serviceView } from './views';

/**
 * Changes who is responsible for a named service.
 *
 * @param input `project_id`: the only projects that exist for the caller; null: all
 * @throws AppError `service_not_found`
 */
export async function updateService(
  { services }: { services: ServiceStore },
  input: { service_id: string; project_id: ProjectScope | null; changes: GivenOwnership },
): Promise<ServiceView> {
  const service = await services.byId(input.service_id);
  if (!service || service.name === null || !isInScope(input.project_id, service.project_id))
    throw new AppError('service_not_found');
  const changes = ownershipChanges(input.changes);
  if (Object.keys(changes).length === 0) return serviceView(service);
  const changed = await services.changeOwnership(service._id, changes);
  if (!changed) throw new AppError('service_not_found');
  return serviceView(changed);
}
