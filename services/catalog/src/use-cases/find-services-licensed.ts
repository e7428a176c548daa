import {
  findLicensedSets,
  maxLicensedSets,
  readLicensed,
  type LicensedEntries,
  type LicenseQuery,
  type OwnershipFilter,
  type ProjectScope,
  type ServiceLicensed,
} from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import { pageOfServices, type PageOfServicesDeps } from './page-of-services';

export interface FindServicesLicensedDeps extends PageOfServicesDeps {
  request: Request;
}

/**
 * Services that have components with a licence: ingest returns the component sets, the catalog the
 * services whose latest SBOM has one of them. `complete`: false while ingest cannot know all sets, or
 * if retention dropped the content of a latest SBOM.
 *
 * @throws AppError `service_unavailable` without ingest
 */
export async function findServicesLicensed(
  deps: FindServicesLicensedDeps,
  requested: OwnershipFilter & {
    query: LicenseQuery;
    project_id?: ProjectScope | undefined;
    page: number;
    per_page: number;
  },
): Promise<{
  items: ServiceLicensed[];
  total: number;
  complete: boolean;
  known: boolean;
  similar: string[];
}> {
  const expired = await deps.usage.countExpired(requested.project_id);
  const found = await deps.request(findLicensedSets, requested.query);
  if (!found.attachment) throw new Error('Ingest sent no component sets.');
  const { key, complete, similar } = found.body;
  const digests = (await unpackJson(found.attachment)) as string[];
  const { items, total } = await pageOfServices(deps, digests, requested);
  const ofSets = key === null ? {} : await entriesOf(deps, items, key);
  return {
    total,
    items: items.flatMap(({ digest, ...service }): ServiceLicensed[] => {
      const entry = ofSets[digest];
      // The set was deleted with its SBOM between the reads.
      if (!entry) return [];
      return [{ ...service, components: entry.count, first_components: entry.first }];
    }),
    complete: complete && expired === 0,
    known: key !== null,
    similar,
  };
}

async function entriesOf(
  { request }: FindServicesLicensedDeps,
  services: readonly { digest: string }[],
  key: string,
): Promise<LicensedEntries> {
  const digests = [...new Set(services.map(({ digest }) => digest))];
  const entries: LicensedEntries = {};
  for (let from = 0; from < digests.length; from += maxLicensedSets) {
    const some = digests.slice(from, from + maxLicensedSets);
    const { attachment } = await request(readLicensed, { key, digests: some });
    if (!attachment) throw new Error('Ingest sent no components.');
    Object.assign(entries, await unpackJson(attachment));
  }
  return entries;
}
