import {
  pageWindow,
  type ListCursor,
  type OwnershipFilter,
  type PartOf,
  type ProjectScope,
  type ServiceNames,
} from '@bomtrail/messages';
import { ownershipKeys } from '../domain/ownership';
import type { OwnedServices } from '../store/owned-services';
import type { UsageStore, UsingService } from '../store/usage-store';
import { readServiceNames, type ReadCatalogDeps } from './read-catalog';

export interface PageOfServicesDeps extends ReadCatalogDeps {
  usage: UsageStore;
  owned: OwnedServices;
}

/** A service, its latest SBOM, and the component set of that. */
export interface ServiceWithSet extends ServiceNames {
  sbom_id: string;
  version: string | null;
  digest: string;
}

/** One page of the services whose latest SBOM has one of these component sets. */
export async function pageOfServices(
  deps: PageOfServicesDeps,
  digests: string[],
  requested: OwnershipFilter & {
    project_id?: ProjectScope | undefined;
    page: number;
    per_page: number;
    after?: ListCursor | null | undefined;
  },
): Promise<PartOf<ServiceWithSet>> {
  const using = await deps.usage.servicesUsing(digests, requested.project_id);
  const services = await ownedAmong(deps, using, requested);
  const { skip, limit } = pageWindow(requested);
  const rest = afterPosition(services, requested.after);
  const page = rest.slice(skip, skip + limit);
  const last = rest.length > skip + limit ? page.at(-1) : undefined;
  const ids = page.map(({ _id }) => _id);
  const [heads, names] = await Promise.all([deps.services.byIds(ids), readServiceNames(deps, ids)]);
  const latestOf = new Map(heads.map(({ _id, latest }) => [_id, latest]));
  const nameOf = new Map(names.map((name) => [name.service_id, name]));
  const items = page.flatMap(({ _id, digest }): ServiceWithSet[] => {
    const [name, latest] = [nameOf.get(_id), latestOf.get(_id)];
    // A service that changed between the reads is returned by the next request.
    if (!name || latest?.digest !== digest) return [];
    return [{ ...name, sbom_id: latest.sbom_id, version: latest.version, digest }];
  });
  return {
    items,
    total: services.length,
    next: last ? { at: last.project_id, id: last._id } : null,
  };
}

/** Those that a filter by owner and labels selects. */
async function ownedAmong(
  { owned }: PageOfServicesDeps,
  services: UsingService[],
  requested: OwnershipFilter & { project_id?: ProjectScope | undefined },
): Promise<UsingService[]> {
  const keys = ownershipKeys(requested);
  if (!keys || services.length === 0) return services;
  const ids = new Set(await owned(keys, { within: requested.project_id }));
  return services.filter(({ _id }) => ids.has(_id));
}

/** The services after a position, by project, then by service. */
function afterPosition(
  services: readonly UsingService[],
  after: ListCursor | null | undefined,
): readonly UsingService[] {
  if (!after) return services;
  return services.filter(
    ({ project_id, _id }) => project_id > after.at || (project_id === after.at && _id > after.id),
  );
}
