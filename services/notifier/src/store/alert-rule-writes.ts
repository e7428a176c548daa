import { createKnownProjects, type KnownProjectDocument } from '@bomtrail/deletion';
import type { NamedAlertRule } from '@bomtrail/messages';
import type { Database } from '@bomtrail/mongo';
import type { ClientSession, Collection } from 'mongodb';
import type { AlertRuleWrites } from '../ports';
import type { AlertRuleDocument } from './documents';
import { whereNamed } from './where-named';

/** See `AlertRuleWrites`. */
export function createAlertRuleWrites(
  { db, client }: Database,
  rules: Collection<AlertRuleDocument>,
): AlertRuleWrites {
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
    insert: (rule: AlertRuleDocument, max: number): Promise<'done' | 'gone' | 'full'> =>
      projects.writeTo(rule.project_id, async (session): Promise<'done' | 'full'> => {
        if (await isFull({ projectId: rule.project_id, ruleId: rule._id, max }, session)) {
          return 'full';
        }
        await rules.insertOne(rule, { session });
        return 'done';
      }),

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

    delete: async (named: NamedAlertRule): Promise<boolean> =>
      (await rules.deleteOne(whereNamed(named))).deletedCount === 1,

    async deleteOfProject(projectId: string, now: Date): Promise<void> {
      await projects.markDeleted(projectId, now);
      await rules.deleteMany({ project_id: projectId });
    },
  };
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
      failing_since: null,
      failures: { $literal: 0 },
      next_attempt_at: '$$NOW',
    },
  ],
};
