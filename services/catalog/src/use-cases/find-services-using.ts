import {
  findPackageSets,
  type ServiceUsing,
  type PackageQuery,
  type PackageSets,
  type ListCursor,
  type PartOf,
  type OwnershipFilter,
  type ProjectScope,
  type Unscanned,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import { pageOfServices, type PageOfServicesDeps } from './page-of-services';

export interface FindServicesUsingDeps extends PageOfServicesDeps {
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
  requested: OwnershipFilter & {
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
  const { items, ...part } = await pageOfServices(deps, Object.keys(sets), requested);
  return {
    ...part,
    items: items.map(({ digest, ...service }) => ({
      ...service,
      packages: (sets[digest] ?? []).flatMap((index) => packages[index] ?? []),
    })),
    ...unscanned,
    complete: found.body.complete,
  };
}
