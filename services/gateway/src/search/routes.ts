import { readFeeds } from '@bomtrail/messages';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import type { ListActiveDeps } from '../vulnerabilities/list-active';
import { searchPackages, searchVulnerability, type PackageSearch } from './search';
import { json, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';

/** Search for affected services, and the advisory data behind it. */
export function searchRoutes(deps: ListActiveDeps): Routes {
  return {
    searchPackages: route<{ query: PackageSearch }>({
      scopes: ['read'],
      receive: receiveNothing,
      handle: async ({ caller, query }) => {
        const found = await searchPackages(deps, caller, query);
        const { complete, unscanned, advisory_data } = found;
        return json({ ...pageEnvelope(found, query), complete, ...unscanned, advisory_data });
      },
    }),
    searchVulnerability: route<{
      path: { advisory_id: string };
      query: PageRequest & { project_id?: string };
    }>({
      scopes: ['read'],
      receive: receiveNothing,
      handle: async ({ caller, path, query }) => {
        const found = await searchVulnerability(deps, caller, { ...path, ...query });
        const { known, ids, withdrawn, unscanned, advisory_data } = found;
        const told = { known, ids, withdrawn, ...unscanned, advisory_data };
        return json({ ...pageEnvelope(found, query), ...told });
      },
    }),
    listAdvisoryFeeds: route({
      scopes: ['read'],
      receive: receiveNothing,
      handle: async () => json((await deps.request(readFeeds, {})).body),
    }),
  };
}
