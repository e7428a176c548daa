import type { OwnershipFilter, ServiceView } from '@bomtrail/messages';
import { effectiveOwnership, isOwned, ownershipKeys } from '../domain/ownership';
import type { ProjectStore } from '../store/project-store';
import type { ServiceStore } from '../store/service-store';
import { serviceView } from './views';

/** The named services of a project, by name; without the project-level service. */
export async function listServicesOf(
  { projects, services }: { projects: ProjectStore; services: ServiceStore },
  { project_id, ...filter }: OwnershipFilter & { project_id: string },
): Promise<ServiceView[]> {
  const found = await services.servicesOf(project_id);
  const keys = ownershipKeys(filter);
  if (!keys) return found.map(serviceView);
  const project = (await projects.byId(project_id)) ?? {};
  return found
    .filter((service) => isOwned(effectiveOwnership(service, project), keys))
    .map(serviceView);
}
