import { json, nothing, route, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import * as bulk from './bulk-decisions';
import * as everywhere from './global-acceptances';
import * as rules from './decision-rules';
import type { AcceptanceDeps } from '../vulnerabilities/manage-acceptances';

type RulePath = { rule_id: string };

/** Decisions about many vulnerabilities, for all projects, and standing ones. */
export function decisionRoutes(deps: AcceptanceDeps): Routes {
  return {
    decideInBulk: route<{ body: bulk.NewBulkDecision }>({
      receive: receiveJson,
      handle: async ({ caller, body }) => json(await bulk.decideInBulk(deps, caller, body)),
    }),
    getBulkDecision: route<{ path: { bulk_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) =>
        json(await bulk.readBulkDecision(deps, caller, path.bulk_id)),
    }),
    deleteBulkDecision: route<{ path: { bulk_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        await bulk.deleteBulkDecision(deps, caller, path.bulk_id);
        return nothing;
      },
    }),
    listDecisionRules: route<{ path: { project_id: string }; query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query }) => {
        const found = await rules.listRules(deps, caller, { ...query, ...path });
        return json(pageEnvelope(found, query));
      },
    }),
    createDecisionRule: route<{ path: { project_id: string }; body: rules.NewRule }>({
      receive: receiveJson,
      handle: async ({ caller, path, body }) =>
        json(await rules.createRule(deps, caller, { ...body, ...path })),
    }),
    getDecisionRule: route<{ path: RulePath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => json(await rules.readRule(deps, caller, path.rule_id)),
    }),
    updateDecisionRule: route<{ path: RulePath; body: rules.RuleChange }>({
      receive: receiveJson,
      handle: async ({ caller, path, body: changes }) =>
        json(await rules.updateRule(deps, caller, { ...path, changes })),
    }),
    deleteDecisionRule: route<{ path: RulePath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        await rules.deleteRule(deps, caller, path.rule_id);
        return nothing;
      },
    }),
    listGlobalAcceptances: route<{ query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ query }) =>
        json(pageEnvelope(await everywhere.listGlobalAcceptances(deps, query), query)),
    }),
    createGlobalAcceptance: route<{ body: everywhere.NewGlobalAcceptance }>({
      receive: receiveJson,
      handle: async ({ caller, body }) =>
        json(await everywhere.createGlobalAcceptance(deps, caller, body)),
    }),
    deleteGlobalAcceptance: route<{ path: { acceptance_id: string } }>({
      receive: receiveNothing,
      handle: async ({ path }) => {
        await everywhere.deleteGlobalAcceptance(deps, path.acceptance_id);
        return nothing;
      },
    }),
  };
}
