import {
  createKnownProjects,
  type Database,
  type IndexPlan,
  type KnownProjectDocument,
} from '@bomtrail/service-kit';
import type { ClientSession } from 'mongodb';
import type { NamedAlertRule } from '@bomtrail/messages';
import type { AlertRuleDocument } from './documents';

export const alertRuleIndexes: IndexPlan = {
  alert_rules: [
    { key: { created_at: -1, _id: 1 } },
    { key: { project_id: 1, created_at: -1, _id: 1 } },
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

  return {
    /** `gone`: the project was deleted. */
    insert: (rule: AlertRuleDocument): Promise<'done' | 'gone'> =>
      projects.placing(rule.project_id, async (session): Promise<'done'> => {
        await rules.insertOne(rule, { session });
        return 'done';
      }),

    exists: async (named: NamedAlertRule): Promise<boolean> =>
      (await rules.findOne(whereNamed(named), { projection: { _id: 1 } })) !== null,

    /** `missing`: there is no such rule; `gone`: the project that the rule should go to was deleted. */
    update(
      named: NamedAlertRule,
      changes: Partial<AlertRuleDocument>,
    ): Promise<'done' | 'missing' | 'gone'> {
      const write = async (session?: ClientSession): Promise<'done' | 'missing'> => {
        const updated = await rules.updateOne(
          whereNamed(named),
          { $set: changes },
          session ? { session } : {},
        );
        return updated.matchedCount === 1 ? 'done' : 'missing';
      };
      return changes.project_id === undefined
        ? write()
        : projects.placing(changes.project_id, write);
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
          .project<Omit<AlertRuleDocument, 'config'>>({ config: 0 })
          .sort({ created_at: -1, _id: 1 })
          .skip(page.skip)
          .limit(page.limit)
          .toArray(),
        rules.countDocuments(where),
      ]);
      return { items, total };
    },

    /** Removes the rules of a deleted project and lets none come again. Repeating it changes nothing. */
    async forget(projectId: string, now: Date): Promise<void> {
      await projects.forget(projectId, now);
      await rules.deleteMany({ project_id: projectId });
    },
  };
}

function whereNamed(named: NamedAlertRule) {
  const { alert_id, of_project } = named;
  return of_project === null ? { _id: alert_id } : { _id: alert_id, project_id: of_project };
}
