import type { NewAlertRule } from '@bomtrail/messages';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import * as rules from './manage-alert-rules';
import { json, route, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';

type RulePath = { alert_id: string };
type RuleChanges = { [Field in keyof NewAlertRule]?: NewAlertRule[Field] | null };

export function alertRuleRoutes(deps: rules.AlertRuleDeps): Routes {
  return {
    listAlertRules: route<{ query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) =>
        json(pageEnvelope(await rules.listAlertRules(deps, caller, query), query)),
    }),
    createAlertRule: route<{ body: NewAlertRule }>({
      receive: receiveJson,
      handle: async ({ caller, body }) => json(await rules.createAlertRule(deps, caller, body)),
    }),
    updateAlertRule: route<{ path: RulePath; body: RuleChanges }>({
      receive: receiveJson,
      handle: async ({ caller, path, body }) => {
        await rules.updateAlertRule(deps, caller, { ...path, changes: withoutNull(body) });
        return json({ status: 'updated' });
      },
    }),
    deleteAlertRule: route<{ path: RulePath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        await rules.deleteAlertRule(deps, caller, path.alert_id);
        return json({ status: 'deleted' });
      },
    }),
    testAlertRule: route<{ path: RulePath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) =>
        json(await rules.testAlertRule(deps, caller, path.alert_id)),
    }),
    listAlertDeliveries: route<{ path: RulePath; query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query }) => {
        const page = await rules.listAlertDeliveries(deps, caller, { ...path, ...query });
        return json(pageEnvelope(page, query));
      },
    }),
    previewAlertRule: route<{ path: RulePath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) =>
        json(await rules.previewAlertRule(deps, caller, path.alert_id)),
    }),
  };
}

/** null counts as absent (docs/rules.md H7). */
function withoutNull(body: RuleChanges): Partial<NewAlertRule> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
