import { inTransaction, isDuplicateKey, type Database, type IndexPlan } from '@bomtrail/mongo';
import type { AcceptanceDocument } from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { BulkDocument, BulkStore } from '../ports';
import { createAcceptanceEpochs } from './acceptance-epochs';
import { createBulkRows } from './bulk-rows';

export const bulkIndexes: IndexPlan = {
  acceptances: [
    {
      key: { bulk_id: 1, services: 1 },
      name: 'bulk',
      partialFilterExpression: { bulk_id: { $exists: true } },
    },
  ],
  bulk_decisions: [
    {
      key: { project_id: 1, idempotency_key: 1 },
      name: 'once',
      unique: true,
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
    { key: { state: 1, created_at: 1 } },
  ],
};

export function createBulkStore(database: Database): BulkStore {
  const { db, client } = database;
  const jobs = db.collection<BulkDocument>('bulk_decisions');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const projects = createProjectStore(database);
  const epochs = createAcceptanceEpochs(db);
  const active = { pending: { $ne: 'revert' as const } };

  return {
    async begin(job) {
      try {
        await jobs.insertOne(job);
        return job;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const { project_id, idempotency_key = '' } = job;
        return jobs.findOne({ project_id, idempotency_key });
      }
    },

    byId: (id) => jobs.findOne({ _id: id }),

    unfinished: (limit) =>
      jobs
        .find({ state: { $in: ['storing', 'applying', 'revoking'] } })
        .sort({ created_at: 1 })
        .limit(limit)
        .toArray(),

    async advance(id, to) {
      const where = { _id: id, revoked: { $exists: false } };
      const { matchedCount } = await jobs.updateOne(where, { $set: to });
      return matchedCount === 1 ? 'advanced' : 'revoked';
    },

    rows: createBulkRows(db),

    store: ({ _id: id, project_id: projectId }, decisions) =>
      projects.addTo(projectId, async (session) => {
        // Written, so that a revocation conflicts with it.
        const going = { _id: id, revoked: { $exists: false } };
        const counted = await jobs.updateOne(going, { $inc: { steps: 1 } }, { session });
        if (counted.matchedCount === 0) return 'revoked' as const;
        const ids = decisions.map(({ _id }) => _id);
        const stored = await acceptances
          .find({ _id: { $in: ids } }, { session })
          .project<{ _id: string }>({ _id: 1 })
          .toArray();
        const known = new Set(stored.map(({ _id }) => _id));
        const missing = decisions.filter(({ _id }) => !known.has(_id));
        if (missing.length > 0) await acceptances.insertMany(missing, { session });
        await epochs.move(projectId, session);
        return 'stored' as const;
      }),

    async services(id, after, limit) {
      const found = acceptances.aggregate<{ _id: string; decisions: number }>([
        { $match: { bulk_id: id, services: { $gt: after } } },
        { $group: { _id: { $first: '$services' }, decisions: { $sum: 1 } } },
        { $sort: { _id: 1 } },
        { $limit: limit },
      ]);
      return (await found.toArray()).map(({ _id, decisions }) => ({ service_id: _id, decisions }));
    },

    count: (id) => acceptances.countDocuments({ bulk_id: id, ...active }),

    revokeSome: (id, limit) =>
      inTransaction(client, async (session) => {
        const some = await acceptances
          .find({ bulk_id: id }, { session })
          .sort({ bulk_id: 1, services: 1 })
          .limit(limit)
          .toArray();
        const [first] = some;
        if (!first) return [];
        const where = { _id: { $in: some.map(({ _id }) => _id) }, ...active };
        await acceptances.updateMany(where, { $set: { pending: 'revert' } }, { session });
        await epochs.move(first.project_id, session);
        return some;
      }),

    async forget(id) {
      await jobs.deleteOne({ _id: id });
    },

    async revoke(id) {
      await jobs.updateOne({ _id: id }, { $set: { revoked: true, state: 'revoking' } });
    },

    async revoked(id) {
      await jobs.updateOne({ _id: id, revoked: true }, { $set: { state: 'done' } });
    },
  };
}
