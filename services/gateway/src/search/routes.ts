import { readFeeds, type ListCursor } from '@bomtrail/messages';
import { affectedColumns, usedPackageColumns, type UsedPackage } from '../csv/columns';
import { csvReply, partsAfter, wholePart, type ListFormat } from '../csv/csv-reply';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import type { OwnedBy } from '../projects/owned-services';
import type { ListActiveDeps } from '../vulnerabilities/list-active';
import { notSearched } from './not-searched';
import { searchLicenses, type LicenseSearch } from './search-licenses';
import { searchPackages, searchVulnerability, type PackageSearch } from './search';
import { json, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';

type Using = Awaited<ReturnType<typeof searchPackages>>['items'][number];
type AffectedRow = Awaited<ReturnType<typeof searchVulnerability>>['items'][number];

/** One row for each package found in a service. */
function usedPackages({ packages, ...service }: Using): UsedPackage[] {
  return packages.map((used) => ({ service, used }));
}

/** Search for affected services, and the advisory data behind it. */
export function searchRoutes(deps: ListActiveDeps): Routes {
  return {
    searchPackages: route<{ query: PackageSearch & ListFormat }>({
      receive: receiveNothing,
      handle: async ({ caller, query: { format, ...query } }) => {
        if (format === 'csv') {
          let warning: string | null = null;
          const parts = partsAfter<UsedPackage, ListCursor>(async (after) => {
            const found = await searchPackages(deps, caller, { ...query, ...wholePart, after });
            warning = notSearched(found);
            return { items: found.items.flatMap(usedPackages), next: found.next };
          });
          const columns = usedPackageColumns;
          return csvReply(parts, { name: 'packages', columns, unsaid: () => warning });
        }
        const found = await searchPackages(deps, caller, query);
        const { complete, unscanned, advisory_data } = found;
        return json({ ...pageEnvelope(found, query), complete, ...unscanned, advisory_data });
      },
    }),
    searchVulnerability: route<{
      path: { advisory_id: string };
      query: PageRequest & ListFormat & OwnedBy & { project_id?: string };
    }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query: { format, ...query } }) => {
        if (format === 'csv') {
          const asked = { ...path, ...query, ...wholePart };
          let warning: string | null = null;
          const parts = partsAfter<AffectedRow, ListCursor>(async (after) => {
            const found = await searchVulnerability(deps, caller, { ...asked, after });
            warning = notSearched(found);
            return found;
          });
          const columns = affectedColumns;
          return csvReply(parts, { name: 'affected', columns, unsaid: () => warning });
        }
        const found = await searchVulnerability(deps, caller, { ...path, ...query });
        const { known, ids, withdrawn, unscanned, advisory_data } = found;
        const told = { known, ids, withdrawn, ...unscanned, advisory_data };
        return json({ ...pageEnvelope(found, query), ...told });
      },
    }),
    searchLicenses: route<{ query: LicenseSearch }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) => {
        const found = await searchLicenses(deps, caller, query);
        return json({ ...pageEnvelope(found, query), complete: found.complete });
      },
    }),
    listAdvisoryFeeds: route({
      receive: receiveNothing,
      handle: async () => json((await deps.request(readFeeds, {})).body),
    }),
  };
}
