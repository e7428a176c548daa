import {
  findPackageSets,
  pageWindow,
  type ServiceUsing,
  type PackageQuery,
  type PackageSets,
  type PageOf,
  type Unscanned,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/service-kit';
import type { UsageStore } from '../store/usage-store';
import { readServiceNames, type ReadCatalogDeps } from './read-catalog';

export interface FindServicesUsingDeps extends ReadCatalogDeps {
  holders: UsageStore;
  request: Request;
}

/**
 * Who holds a package now. The scanner says which component sets hold it, the heads of the lines say
 * whose latest SBOM has one of these. `complete`: false while one of the two cannot know all yet.
 *
 * @throws AppError `service_unavailable` without the scanner
 */
export async function findServicesUsing(
  deps: FindServicesUsingDeps,
  asked: {
    query: PackageQuery;
    project_id?: string | undefined;
    page: number;
    per_page: number;
  },
): Promise<PageOf<ServiceUsing> & Unscanned & { complete: boolean }> {
  // Looked at before the answer, so that an SBOM that is read meanwhile counts as one that was not.
  const [unscanned, unfilled] = await Promise.all([
    deps.holders.unscanned(asked.project_id),
    deps.holders.isUnfilled(),
  ]);
  const found = await deps.request(findPackageSets, asked.query);
  if (!found.attachment) throw new Error('The scanner sent no component sets.');
  const { packages, sets } = (await unpackJson(found.attachment)) as PackageSets;
  const services = await deps.holders.servicesUsing(Object.keys(sets), asked.project_id);
  const { skip, limit } = pageWindow(asked);
  const page = services.slice(skip, skip + limit);
  const ids = page.map(({ _id }) => _id);
  const [heads, names] = await Promise.all([deps.services.byIds(ids), readServiceNames(deps, ids)]);
  const latestOf = new Map(heads.map(({ _id, latest }) => [_id, latest]));
  const nameOf = new Map(names.map((name) => [name.service_id, name]));
  const items = page.flatMap(({ _id, digest }): ServiceUsing[] => {
    const [name, latest] = [nameOf.get(_id), latestOf.get(_id)];
    // A line that went or moved on between the reads is shown as it is by the next request.
    if (!name || latest?.digest !== digest) return [];
    const held = (sets[digest] ?? []).flatMap((index) => packages[index] ?? []);
    return [{ ...name, sbom_id: latest.sbom_id, version: latest.version, packages: held }];
  });
  return {
    items,
    total: services.length,
    ...unscanned,
    complete: found.body.complete && !unfilled,
  };
}
