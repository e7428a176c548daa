import { Readable } from 'node:stream';
import { vulnerabilityStatuses, type ListCursor } from '@bomtrail/messages';
import type { Caller } from '../api-keys/domain/caller';
import { acceptanceColumns, vulnerabilityColumns } from '../csv/columns';
import { evidenceColumns } from '../csv/evidence-columns';
import { notEvaluated } from '../csv/not-evaluated';
import { csvReply, partsAfter, wholePart, type ListFormat } from '../csv/csv-reply';
import { listExploitedEvidence, type ExploitedEvidence } from './exploited-evidence';
import { exportVulnerabilities } from './export-vulnerabilities';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import {
  listActive,
  summariseActive,
  type ActiveFilters,
  type ListActiveDeps,
} from './list-active';
import { listVulnerabilities, readVulnerability } from './read-vulnerabilities';
import { groupVulnerabilities, type GroupRequest } from './group-vulnerabilities';
import { decisionRoutes } from '../decisions/routes';
import * as acceptances from './manage-acceptances';
import { json, route, type Reply, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';
import { weakEtag } from '../http/weak-etag';

type Acceptance = Awaited<ReturnType<typeof acceptances.listAcceptances>>['items'][number];
type ActiveQuery = Parameters<typeof listActive>[2];
type StateQuery = Parameters<typeof listVulnerabilities>[2];

export function vulnerabilityRoutes(deps: ListActiveDeps): Routes {
  const exported = async (
    caller: Caller,
    query: Parameters<typeof exportVulnerabilities>[2],
  ): Promise<Reply> => {
    const warning = notEvaluated(await deps.advisoryData());
    const parts = exportVulnerabilities(deps, caller, query);
    const columns = vulnerabilityColumns;
    return csvReply(parts, { name: 'vulnerabilities', columns, unsaid: () => warning });
  };
  return {
    ...decisionRoutes(deps),
    listActiveVulnerabilities: route<{ query: ActiveQuery & ListFormat }>({
      receive: receiveNothing,
      handle: async ({ caller, query: { format, ...query } }) => {
        if (format === 'csv') return exported(caller, { ...query, statuses: ['open'] });
        const { advisory_data, ...found } = await listActive(deps, caller, query);
        return json({ ...pageEnvelope(found, query), advisory_data });
      },
    }),
    listVulnerabilities: route<{ query: StateQuery & ListFormat }>({
      receive: receiveNothing,
      handle: async ({ caller, query: { format, count, ...query } }) => {
        const { status } = query;
        const statuses = status?.length ? status : vulnerabilityStatuses;
        if (format === 'csv') return exported(caller, { ...query, statuses });
        const found = await listVulnerabilities(deps, caller, { ...query, count });
        const { items, total, has_more, advisory_data } = found;
        const page = pageEnvelope({ items, total: total ?? 0 }, query);
        const uncounted = { ...page, total, total_pages: null, has_more };
        return json({ ...(total === null ? uncounted : page), advisory_data });
      },
    }),
    getVulnerability: route<{ path: { vulnerability_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) =>
        taggedReply(await readVulnerability(deps, caller, path.vulnerability_id)),
    }),
    getVulnerabilitySummary: route<{ query: ActiveFilters }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) => json(await summariseActive(deps, caller, query)),
    }),
    groupVulnerabilities: route<{ query: GroupRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) => {
        const { advisory_data, ...found } = await groupVulnerabilities(deps, caller, query);
        return json({ ...pageEnvelope(found, query), advisory_data });
      },
    }),
    listExploitedEvidence: route<{
      path: { project_id: string };
      query: PageRequest & ListFormat;
    }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query: { format, ...query } }) => {
        const read = (page: PageRequest) =>
          listExploitedEvidence(deps, caller, { ...path, ...page });
        if (format !== 'csv') {
          const { next: _next, ...found } = await read(query);
          return json(pageEnvelope(found, query));
        }
        const parts = partsAfter<ExploitedEvidence, number>((page) =>
          read({ page: page ?? 1, per_page: 50 }),
        );
        return csvReply(parts, { name: 'exploited-evidence', columns: evidenceColumns });
      },
    }),
    listAcceptances: route<{ query: PageRequest & ListFormat & acceptances.AcceptanceFilter }>({
      receive: receiveNothing,
      handle: async ({ caller, query: { format, ...query } }) => {
        if (format !== 'csv')
          return json(pageEnvelope(await acceptances.listAcceptances(deps, caller, query), query));
        const parts = partsAfter<Acceptance, ListCursor>((after) =>
          acceptances.listAcceptances(deps, caller, { ...query, ...wholePart, after }),
        );
        return csvReply(parts, { name: 'acceptances', columns: acceptanceColumns });
      },
    }),
    createAcceptance: route<{ body: acceptances.NewAcceptance }>({
      receive: receiveJson,
      handle: async ({ caller, body }) =>
        json(await acceptances.createAcceptance(deps, caller, body)),
    }),
    updateAcceptance: route<{
      path: { acceptance_id: string };
      body: acceptances.AcceptanceChange;
    }>({
      receive: receiveJson,
      handle: async ({ caller, path, body }) =>
        json(await acceptances.updateAcceptance(deps, caller, { ...path, changes: body })),
    }),
    deleteAcceptance: route<{ path: { acceptance_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        const project_id = await acceptances.deleteAcceptance(deps, caller, path.acceptance_id);
        return { kind: 'nothing', about: { project_id } };
      },
    }),
  };
}

/** JSON with an entity tag, for conditional requests. */
function taggedReply(body: object): Reply {
  const text = JSON.stringify(body);
  return {
    kind: 'stream',
    headers: { 'Content-Type': 'application/json; charset=utf-8', ETag: weakEtag([text]) },
    content: () => Readable.from([Buffer.from(text)]),
  };
}
