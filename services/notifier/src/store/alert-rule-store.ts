import type { Database, IndexPlan } from '@bomtrail/mongo';
import type { AlertRuleStore } from '../ports';
import { createAlertRuleReads } from './alert-rule-reads';
import { createAlertRuleWrites } from './alert-rule-writes';
import type { AlertRuleDocument } from './documents';

export const alertRuleIndexes: IndexPlan = {
  alert_rules: [
    { key: { created_at: -1, _id: 1 } },
    { key: { project_id: 1, created_at: -1, _id: 1 } },
    { key: { enabled: 1, _id: 1 } },
    { key: { enabled: 1, 'retry_state.next_attempt_at': 1 } },
  ],
};

/** Alert rules, and tombstones of deleted projects, which accept none. */
export function createAlertRuleStore(database: Database): AlertRuleStore {
  const rules = database.db.collection<AlertRuleDocument>('alert_rules');
  return { ...createAlertRuleReads(rules), ...createAlertRuleWrites(database, rules) };
}
