import { maxDecisionRules } from '@bomtrail/messages';
import { inTransaction, type Database, type IndexPlan } from '@bomtrail/mongo';
import type {
  AcceptanceDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { RuleStore } from '../ports';
import { createAcceptanceEpochs } from './acceptance-epochs';

export const ruleIndexes: IndexPlan = {
  acceptances: [
    {
      key: { project_id: 1, source: 1, created_at: -1, _id: 1 },
      name: 'rules',
      partialFilterExpression: { source: 'rule' },
    },
    {
      key: { owned: 1, project_id: 1 },
      name: 'owned_rules',
      partialFilterExpression: { owned: true },
    },
  ],
  tracked_vulnerabilities: [
    {
      key: { 'decided.id': 1 },
      name: 'decided_by_rule',
      partialFilterExpression: { 'decided.source': 'rule' },
    },
  ],
};

/** Standing rules: decisions with a filter, in the collection of all decisions. */
export function createRuleStore(database: Database): RuleStore {
  const { db } = database;
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const states = db.collection<ServiceStateDocument>('service_states');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const projects = createProjectStore(database);
  const epochs = createAcceptanceEpochs(db);
  const stored = { source: 'rule' as const, pending: { $ne: 'revert' as const } };
  const owned = { owned: true as const, lapsed: false };

  return {
    async insert(rule) {
      const { project_id, services } = rule;
      const outcome = await projects.addTo(project_id, async (session) => {
        const deleted = { _id: { $in: services ?? [] }, deletion_state: { $exists: true } };
        if (services && (await states.findOne(deleted, { session }))) return 'no_service' as const;
        const own = { ...stored, project_id };
        if ((await acceptances.countDocuments(own, { session })) >= maxDecisionRules)
          return 'too_many' as const;
        await acceptances.insertOne(rule, { session });
        await epochs.move(project_id, session);
        return 'done' as const;
      });
      return outcome === 'deleted' ? 'no_project' : outcome;
    },

    projectsWithOwned: () => acceptances.distinct('project_id', { ...stored, ...owned }),

    ownedIn: (project_id) => acceptances.find({ ...stored, ...owned, project_id }).toArray(),

    async moveTo({ _id, project_id, updated_at, services, left }, now) {
      const gone = (services ?? []).filter((id) => !now.includes(id));
      const $set = {
        services: [...now],
        left: [...new Set([...(left ?? []), ...gone])],
        updated_at: new Date(Math.max(Date.now(), updated_at.getTime() + 1)),
        pending: 'apply' as const,
      };
      return inTransaction(database.client, async (session) => {
        const where = { ...stored, ...owned, _id, updated_at };
        const { modifiedCount } = await acceptances.updateOne(where, { $set }, { session });
        if (modifiedCount === 1) await epochs.move(project_id, session);
        return modifiedCount === 1;
      });
    },

    async decided(ids) {
      const found = vulnerabilities.aggregate<{ _id: string; count: number }>([
        { $match: { 'decided.source': 'rule', 'decided.id': { $in: [...ids] } } },
        { $group: { _id: '$decided.id', count: { $sum: 1 } } },
      ]);
      return new Map((await found.toArray()).map(({ _id, count }) => [_id, count]));
    },
  };
}
