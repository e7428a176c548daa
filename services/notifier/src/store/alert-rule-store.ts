import {
  createKnownProjects,
  type Database,
  type IndexPlan,
  type KnownProjectDocument,
} from '@bomtrail/service-kit';
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

/** Alert rules, and which projects take none any more because they were deleted. */
export function createAlertRuleStore(database: Database) {
  const { db, client } = database;
  const rules = db.collection<AlertRuleDocument>('alert_rules');
  const projects = createKnownProjects(
    client,
    db.collection<KnownProjectDocument>('known_projects'),
  );

  /**
   * Has the project no place for this rule? Asked within `placing`: two that put a rule into one project cannot both
   * see the last free place. A rule that is in the project already takes no further place.
   */
  async function isFull(
    { projectId, ruleId, most }: { projectId: string; ruleId: string; most: number },
    session: ClientSession,
  ): Promise<boolean> {
    const others = { project_id: projectId, _id: { $ne: ruleId } };
    if ((await rules.countDocuments(others, { session, limit: most })) < most) return false;
    return (await rules.findOne({ _id: ruleId, project_id: projectId }, { session })) === null;
  }

  return {
    /** `gone`: the project was deleted; `full`: it has `most` rules or more. */
    insert: (rule: AlertRuleDocument, most: number): Promise<'done' | 'gone' | 'full'> =>
      projects.writeTo(rule.project_id, async (session): Promise<'done' | 'full'> => {
        if (await isFull({ projectId: rule.project_id, ruleId: rule._id, most }, session)) {
          return 'full';
        }
        await rules.insertOne(rule, { session });
        return 'done';
      }),

    exists: async (named: NamedAlertRule): Promise<boolean> =>
      (await rules.findOne(whereNamed(named), { projection: { _id: 1 } })) !== null,

    /** A page of the enabled rules by id, behind `after`. */
    async enabled(after: string, limit: number): Promise<string[]> {
      const page = rules
        .find({ enabled: true, _id: { $gt: after } })
        .project<{ _id: string }>({ _id: 1 });
      return (await page.sort({ _id: 1 }).limit(limit).toArray()).map(({ _id }) => _id);
    },

    /**
     * Enabled rules that failed and when they are tried again, the earliest ones first. `leaveOut`: those that are at
     * work anyway.
     */
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

    /** Since when something new waits to be told, for each channel of enabled rules that has something. */
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

    /** Which of these rules there are. */
    async existing(ruleIds: readonly string[]): Promise<Set<string>> {
      const found = rules.find({ _id: { $in: [...ruleIds] } }).project<{ _id: string }>({ _id: 1 });
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },

    /**
     * What a rule could not tell is tried again at once, as if for the first time, when a value of the rule became
     * another one. `missing`: there is no such rule; `gone`: the project that the rule should go to was deleted; `full`:
     * that project has `most` other rules or more.
     */
    update(
      named: NamedAlertRule,
      changes: Partial<Omit<AlertRuleDocument, 'retry_state' | 'records'>>,
      most: number,
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
        return (await isFull({ projectId, ruleId, most }, session)) ? 'full' : write(session);
      });
    },

    /** The rule, unless there is none; holds its config. */
    find: (named: NamedAlertRule): Promise<AlertRuleDocument | null> =>
      rules.findOne(whereNamed(named)),

    /**
     * Gives the rule to one caller in so many milliseconds, over all processes, by the database's clock.
     * `early`: the last one is not long enough ago.
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

    /** False when there is no such rule, or another call deleted it. */
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

    /** Removes the rules of a deleted project and lets none come again. Repeating it changes nothing. */
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

/** Values that a stage of an update takes as they are: text that begins with `$` would name a field there. */
function literals(changes: object): Record<string, { $literal: unknown }> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, { $literal: value as unknown }]),
  );
}

/** Does any of these values differ from the stored one? When something was written is no value of a rule. */
function differs({ updated_at: _, ...values }: { updated_at?: Date | null | undefined }) {
  const others = Object.entries(values).map(([name, value]) => ({
    $ne: [`$${name}`, { $literal: value as unknown }],
  }));
  return { $or: others };
}

/** Without trouble it stays so. */
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
