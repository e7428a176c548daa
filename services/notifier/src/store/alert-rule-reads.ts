import type { AlertChannel, NamedAlertRule, ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral } from '@bomtrail/mongo';
import type { Collection } from 'mongodb';
import type { AlertRuleReads } from '../ports';
import type { AlertRuleDocument } from './documents';
import { whereNamed } from './where-named';

/** See `AlertRuleReads`. */
export function createAlertRuleReads(rules: Collection<AlertRuleDocument>): AlertRuleReads {
  return {
    exists: async (named: NamedAlertRule): Promise<boolean> =>
      (await rules.findOne(whereNamed(named), { projection: { _id: 1 } })) !== null,

    async existing(ruleIds: readonly string[]): Promise<Set<string>> {
      const found = rules.find({ _id: { $in: [...ruleIds] } }).project<{ _id: string }>({ _id: 1 });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    find: (named: NamedAlertRule): Promise<AlertRuleDocument | null> =>
      rules.findOne(whereNamed(named)),

    async list(within: ProjectScope | undefined, page: { skip: number; limit: number }) {
      const where = within === undefined ? {} : { project_id: oneOrSeveral(within) };
      const [items, total] = await Promise.all([
        rules
          .find(where)
          .project<Omit<AlertRuleDocument, 'config'>>({ config: 0, retry_state: 0, records: 0 })
          .sort({ created_at: -1, _id: 1 })
          .skip(page.skip)
          .limit(page.limit)
          .toArray(),
        rules.countDocuments(where),
      ]);
      return { items, total };
    },

    async enabled(after: string, limit: number): Promise<string[]> {
      const page = rules
        .find({ enabled: true, _id: { $gt: after } })
        .project<{ _id: string }>({ _id: 1 });
      return (await page.sort({ _id: 1 }).limit(limit).toArray()).map(({ _id }) => _id);
    },

    async awaitingAttempt(leaveOut: readonly string[], limit: number) {
      const found = await rules
        .find({
          enabled: true,
          'retry_state.next_attempt_at': { $type: 'date' },
          _id: { $nin: [...leaveOut] },
        })
        .project<{ _id: string; retry_state: { next_attempt_at: Date } }>({
          'retry_state.next_attempt_at': 1,
        })
        .sort({ 'retry_state.next_attempt_at': 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, retry_state }) => ({
        ruleId: _id,
        at: retry_state.next_attempt_at,
      }));
    },

    async oldestUndelivered(): Promise<Map<AlertChannel, Date>> {
      const oldest = await rules
        .aggregate<{ _id: AlertChannel; since: Date }>([
          { $match: { enabled: true, 'retry_state.undelivered_since': { $type: 'date' } } },
          {
            $group: {
              _id: '$notification_type',
              since: { $min: '$retry_state.undelivered_since' },
            },
          },
        ])
        .toArray();
      return new Map(oldest.map(({ _id, since }) => [_id, since]));
    },
  };
}
