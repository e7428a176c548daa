import { createKnownProjects, type KnownProjectDocument } from '@bomtrail/deletion';
import type { Database, IndexPlan } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import type { AlertChannel, NamedAlertRule } from '@bomtrail/messages';
import type { AlertRuleDocument } from './documents';

export const alertRuleIndexes: IndexPlan = {
  alert_rules: [
    { key: { created_at: -1, _id: 1 } },
    { key: { project_id: 1, created_at: -1, _id: 1 } },
    { key: { enabled: 1, _id: 1 } },
    { key: { enabled: 1, 'retry_state.next_attempt_at': 1 } },
  ],
};

export type AlertRuleStore = ReturnType<typeof createAlertRuleStore>;

/** Alert rules, and tombstones of deleted projects, which accept none. */
export function createAlertRuleStore(database: Database) {
  const { db, client } = database;
  const rules = db.collection<AlertRuleDocument>('alert_rules');
  const projects = createKnownProjects(
    client,
    db.collection<KnownProjectDocument>('known_projects'),
  );

  /**
   * Whether the project has its maximum number of other rules. Must run within `writeTo`, so that
   * two concurrent inserts cannot both see the last free slot. A rule already in the project counts
   * as fitting.
   */
  async function isFull(
    { projectId, ruleId, max }: { projectId: string; ruleId: string; max: number },
    session: ClientSession,
  ): Promise<boolean> {
    const others = { project_id: projectId, _id: { $ne: ruleId } };
    if ((await rules.countDocuments(others, { session, limit: max })) < max) return false;
    return (await rules.findOne({ _id: ruleId, project_id: projectId }, { session })) === null;
  }

  return {
    /** `gone`: the project was deleted; `full`: it has `max` rules or more. */
    insert: (rule: AlertRuleDocument, max: number): Promise<'done' | 'gone' | 'full'> =>
      projects.writeTo(rule.project_id, async (session): Promise<'done' | 'full'> => {
        if (await isFull({ projectId: rule.project_id, ruleId: rule._id, max }, session)) {
          return 'full';
        }
        await rules.insertOne(rule, { session });
        return 'done';
      }),

    exists: async (named: NamedAlertRule): Promise<boolean> =>
      (await rules.findOne(whereNamed(named), { projection: { _id: 1 } })) !== null,

    /** A page of enabled rule ids after `after`. */
    async enabled(after: string, limit: number): Promise<string[]> {
      const page = rules
        .find({ enabled: true, _id: { $gt: after } })
        .project<{ _id: string }>({ _id: 1 });
      return (await page.sort({ _id: 1 }).limit(limit).toArray()).map(({ _id }) => _id);
    },

    /** Enabled rules with a planned retry, earliest first. `leaveOut`: rules to skip. */
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

    /** Oldest undelivered alert of enabled rules, by channel. */
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

    /** Returns the existing ones of these rules. */
    async existing(ruleIds: readonly string[]): Promise<Set<string>> {
      const found = rules.find({ _id: { $in: [...ruleIds] } }).project<{ _id: string }>({ _id: 1 });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    /**
     * Changes a rule. If a value changed, undelivered alerts are retried at once. `missing`:
     * unknown rule; `gone`: the new project was deleted; `full`: that project has `max` other rules
     * or more.
     */
    update(
      named: NamedAlertRule,
      changes: Partial<Omit<AlertRuleDocument, 'retry_state' | 'records'>>,
      max: number,
    ): Promise<'done' | 'missing' | 'gone' | 'full'> {
      const write = async (session?: ClientSession): Promise<'done' | 'missing'> => {
        const updated = await rules.updateOne(
          whereNamed(named),
          [
            {
              $set: {
                retry_state: { $cond: [differs(changes), resetRetryState, unchangedRetryState] },
              },
            },
            { $set: literals(changes) },
          ],
          session ? { session } : {},
        );
        return updated.matchedCount === 1 ? 'done' : 'missing';
      };
      const { project_id: projectId } = changes;
      if (projectId === undefined) return write();
      return projects.writeTo(projectId, async (session) => {
        const ruleId = named.alert_id;
        return (await isFull({ projectId, ruleId, max }, session)) ? 'full' : write(session);
      });
    },

    /** The rule with its config, or null. */
    find: (named: NamedAlertRule): Promise<AlertRuleDocument | null> =>
      rules.findOne(whereNamed(named)),

    /**
     * Returns the rule to one caller per `everyMs`, over all processes, by the database's clock.
     * `early`: the last test was too recent.
     */
    async claimTest(
      named: NamedAlertRule,
      everyMs: number,
    ): Promise<AlertRuleDocument | 'early' | 'missing'> {
      const since = { $subtract: ['$$NOW', { $ifNull: ['$tested_at', new Date(0)] }] };
      const claimed = await rules.findOneAndUpdate(
        { ...whereNamed(named), $expr: { $gte: [since, everyMs] } },
        [{ $set: { tested_at: '$$NOW' } }],
      );
      if (claimed !== null) return claimed;
      return (await rules.findOne(whereNamed(named), { projection: { _id: 1 } })) === null
        ? 'missing'
        : 'early';
    },

    /** False if the rule does not exist or another call deleted it. */
    delete: async (named: NamedAlertRule): Promise<boolean> =>
      (await rules.deleteOne(whereNamed(named))).deletedCount === 1,

    /** Newest first, ties by id. */
    async list(projectId: string | undefined, page: { skip: number; limit: number }) {
      const where = projectId === undefined ? {} : { project_id: projectId };
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

    /** Deletes the rules of a deleted project and prevents new ones. Idempotent. */
    async deleteOfProject(projectId: string, now: Date): Promise<void> {
      await projects.markDeleted(projectId, now);
      await rules.deleteMany({ project_id: projectId });
    },
  };
}

function whereNamed(named: NamedAlertRule) {
  const { alert_id, of_project } = named;
  return of_project === null ? { _id: alert_id } : { _id: alert_id, project_id: of_project };
}

/** Literal values for an update pipeline, where text beginning with `$` would name a field. */
function literals(changes: object): Record<string, { $literal: unknown }> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, { $literal: value as unknown }]),
  );
}

/** Whether a value differs from the stored one, ignoring `updated_at`. */
function differs({ updated_at: _, ...values }: { updated_at?: Date | null | undefined }) {
  const others = Object.entries(values).map(([name, value]) => ({
    $ne: [`$${name}`, { $literal: value as unknown }],
  }));
  return { $or: others };
}

const unchangedRetryState = { $ifNull: ['$retry_state', '$$REMOVE'] };
const resetRetryState = {
  $cond: [
    { $eq: [{ $type: '$retry_state' }, 'missing'] },
    '$$REMOVE',
    {
      undelivered_since: '$retry_state.undelivered_since',
      ...{ failing_since: null, failures: { $literal: 0 }, next_attempt_at: '$$NOW' },
    },
  ],
};
