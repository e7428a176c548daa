import { type Database, type IndexPlan, inTransaction, isDuplicateKey } from '@bomtrail/mongo';
import type { Db } from 'mongodb';
import type {
  AcceptanceDocument,
  DetailsDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { followMerges } from '../../tracking/store/follow-merges';
import { createProjectStore } from '../../tracking/store/project-store';
import type { BulkDocument, BulkRow, BulkStore } from '../ports';
import { createAcceptanceEpochs } from './acceptance-epochs';
import { inUpperCase } from '../../tracking/domain/vulnerability-names';

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

type Row = Pick<
  TrackedVulnerabilityDocument,
  '_id' | 'service_id' | 'project_id' | 'package_key' | 'details_id' | 'identity' | 'merged_into'
>;

/** Reads what a bulk decision is about: vulnerabilities by id, with all their aliases. */
function createBulkRows(db: Db): BulkStore['rows'] {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  /** The vulnerability of each id that an SBOM contains, along merges. */
  async function existing(projectId: string, ids: readonly string[]): Promise<Row[]> {
    const endOf = await followMerges(ids, (wanted) =>
      vulnerabilities
        .find({ _id: { $in: wanted }, project_id: projectId })
        .project<Row>({
          service_id: 1,
          project_id: 1,
          package_key: 1,
          details_id: 1,
          identity: 1,
          merged_into: 1,
        })
        .toArray(),
    );
    return ids.flatMap((id) => {
      const row = endOf(id);
      return row?.details_id === undefined ? [] : row;
    });
  }

  return async function rows(projectId, ids) {
    const found = await existing(projectId, ids);
    const named = new Set(found.flatMap(({ details_id }) => details_id ?? []));
    const read = await details
      .find({ _id: { $in: [...named] } })
      .project<Pick<DetailsDocument, '_id' | 'aliases'>>({ aliases: 1 })
      .toArray();
    const aliases = new Map(read.map((one) => [one._id, inUpperCase(one.aliases)]));
    const rows = [...new Set(found)].map(
      ({ _id, service_id, project_id, package_key, details_id, identity }): BulkRow => {
        const current = aliases.get(details_id ?? '') ?? identity;
        return { id: _id, service_id, project_id, package_key, identity: current };
      },
    );
    return { rows, not_found: ids.length - found.length };
  };
}
