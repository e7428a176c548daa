import {
  findPackageSets,
  pageWindow,
  type ServiceUsing,
  type PackageQuery,
  type PackageSets,
  type ListCursor,
  type PartOf,
  type ProjectScope,
  type Unscanned,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import type { UsageStore, UsingService } from '../store/usage-store';
import { readServiceNames, type ReadCatalogDeps } from './read-catalog';

export interface FindServicesUsingDeps extends ReadCatalogDeps {
  usage: UsageStore;
  request: Request;
}

/**
 * Services that use a package: the scanner returns the component sets that contain it, the catalog
 * the services whose latest SBOM has one of them. `complete`: false while the scanner cannot know
 * all sets.
 *
 * @throws AppError `service_unavailable` without the scanner
 */
export async function findServicesUsing(
  deps: FindServicesUsingDeps,
  requested: {
    query: PackageQuery;
    project_id?: ProjectScope | undefined;
    page: number;
    per_page: number;
    after?: ListCursor | null | undefined;
  },
): Promise<PartOf<ServiceUsing> & Unscanned & { complete: boolean }> {
  // Read first, so that an SBOM scanned meanwhile counts as not scanned.
  const unscanned = await deps.usage.unscanned(requested.project_id);
  const found = await deps.request(findPackageSets, requested.query);
  if (!found.attachment) throw new Error('The scanner sent no component sets.');
  const { packages, sets } = (await unpackJson(found.attachment)) as PackageSets;
  const services = await deps.usage.servicesUsing(Object.keys(sets), requested.project_id);
  const { skip, limit } = pageWindow(requested);
  const rest = afterPosition(services, requested.after);
  const page = rest.slice(skip, skip + limit);
  const last = rest.length > skip + limit ? page.at(-1) : undefined;
  const ids = page.map(({ _id }) => _id);
  const [heads, names] = await Promise.all([deps.services.byIds(ids), readServiceNames(deps, ids)]);
  const latestOf = new Map(heads.map(({ _id, latest }) => [_id, latest]));
  const nameOf = new Map(names.map((name) => [name.service_id, name]));
  const items = page.flatMap(({ _id, digest }): ServiceUsing[] => {
    const [name, latest] = [nameOf.get(_id), latestOf.get(_id)];
    // A service that changed between the reads is returned by the next request.
    if (!name || latest?.digest !== digest) return [];
    const contained = (sets[digest] ?? []).flatMap((index) => packages[index] ?? []);
    return [{ ...name, sbom_id: latest.sbom_id, version: latest.version, packages: contained }];
  });
  return {
    items,
    total: services.length,
    next: last ? { at: last.project_id, id: last._id } : null,
    ...unscanned,
    complete: found.body.complete,
  };
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
