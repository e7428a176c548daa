import { json, nothing, route, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import * as bulk from './bulk-decisions';
import * as everywhere from './global-acceptances';
import type { AcceptanceDeps } from '../vulnerabilities/manage-acceptances';

/** Decisions about many vulnerabilities, and for all projects. */
export function decisionRoutes(deps: AcceptanceDeps): Routes {
  return {
    decideInBulk: route<{ body: bulk.NewBulkDecision }>({
      scopes: ['write'],
      receive: receiveJson,
      handle: async ({ caller, body }) => json(await bulk.decideInBulk(deps, caller, body)),
    }),
    getBulkDecision: route<{ path: { bulk_id: string } }>({
      scopes: ['read'],
      receive: receiveNothing,
      handle: async ({ caller, path }) =>
        json(await bulk.readBulkDecision(deps, caller, path.bulk_id)),
    }),
    deleteBulkDecision: route<{ path: { bulk_id: string } }>({
      scopes: ['write'],
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        await bulk.deleteBulkDecision(deps, caller, path.bulk_id);
        return nothing;
      },
    }),
    listGlobalAcceptances: route<{ query: PageRequest }>({
      scopes: ['admin'],
      receive: receiveNothing,
      handle: async ({ caller, query }) =>
        json(pageEnvelope(await everywhere.listGlobalAcceptances(deps, caller, query), query)),
    }),
    createGlobalAcceptance: route<{ body: everywhere.NewGlobalAcceptance }>({
      scopes: ['admin'],
      receive: receiveJson,
      handle: async ({ caller, body }) =>
        json(await everywhere.createGlobalAcceptance(deps, caller, body)),
    }),
    deleteGlobalAcceptance: route<{ path: { acceptance_id: string } }>({
      scopes: ['admin'],
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        await everywhere.deleteGlobalAcceptance(deps, caller, path.acceptance_id);
        return nothing;
      },
    }),
  };
}
