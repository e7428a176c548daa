import type { OwnershipFilter, ServiceView } from '@bomtrail/messages';
import { effectiveOwnership, isOwned, ownershipKeys } from '../domain/ownership';
import type { ProjectStore } from '../store/project-store';
import type { SbomStore } from '../store/sbom-store';
import type { ServiceStore } from '../store/service-store';
import { serviceViews } from './service-views';

/** The named services of a project, by name; without the project-level service. */
export async function listServicesOf(
  deps: { projects: ProjectStore; services: ServiceStore; sboms: SbomStore },
  { project_id, ...filter }: OwnershipFilter & { project_id: string },
): Promise<ServiceView[]> {
  const found = await deps.services.servicesOf(project_id);
  const keys = ownershipKeys(filter);
  if (!keys) return serviceViews(deps, found);
  const project = (await deps.projects.byId(project_id)) ?? {};
  return serviceViews(
    deps,
    found.filter((service) => isOwned(effectiveOwnership(service, project), keys)),
  );
}
