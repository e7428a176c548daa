import { sendForJson, type Target } from '@bomtrail/api-client';
import type { components } from '@bomtrail/api-contract';

type Schemas = components['schemas'];
type Delivery = Schemas['AlertDelivery'];

/** What a client does with alert rules. */
export interface AlertCalls {
  /** Gives the rule's id. @throws ApiError */
  create(rule: object): Promise<string>;
  /** @throws ApiError */
  change(id: string, changes: object): Promise<void>;
  /** The rule as its list shows it; undefined if it is not among the newest 200. */
  read(id: string): Promise<Schemas['AlertRuleResponse'] | undefined>;
  /** The messages of a rule that arrived, newest first, at most 200. */
  sent(id: string): Promise<Delivery[]>;
}

export function createAlertCalls(target: Target): AlertCalls {
  const rules = '/api/v1/alert-rules';
  return {
    async create(body) {
      const call = { method: 'POST' as const, path: rules, body };
      return (await sendForJson<Schemas['AlertRuleResponse']>(target, call)).id;
    },
    async change(id, body) {
      await sendForJson(target, { method: 'PATCH', path: `${rules}/${id}`, body });
    },
    async read(id) {
      const call = { path: rules, query: { per_page: 200 } };
      const { items } = await sendForJson<Schemas['AlertRulePage']>(target, call);
      return items.find((rule) => rule.id === id);
    },
    async sent(id) {
      const call = { path: `${rules}/${id}/deliveries`, query: { per_page: 200 } };
      const { items } = await sendForJson<{ items: Delivery[] }>(target, call);
      return items.filter(({ kind, outcome }) => kind === 'alert' && outcome === 'sent');
    },
  };
}
