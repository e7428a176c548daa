import { maxChangedPackages } from '@bomtrail/messages';
import { createBatcher } from '@bomtrail/concurrency';
import type { IndexPlan } from '@bomtrail/mongo';
import type { Db, Filter } from 'mongodb';
import { nextRetry } from '../domain/retry-schedule';
import type { ServiceDocument, SbomDocument } from './documents';

export const sbomIndexes: IndexPlan = {
  sboms: [
    { key: { service_id: 1, seq: -1 }, unique: true },
    { key: { project_id: 1, created_at: -1, _id: 1 } },
    { key: { digest: 1, service_id: 1, seq: -1 } },
    { key: { retry_at: 1 }, partialFilterExpression: { retry_at: { $exists: true } } },
    {
      key: { 'rescan.retry_at': 1 },
      partialFilterExpression: { 'rescan.retry_at': { $exists: true } },
    },
    { key: { deleted_at: 1 }, partialFilterExpression: { deleted_at: { $exists: true } } },
  ],
};

/** Fields to remove once a scan has ended, and once its result is applied. */
const ended = { queued_at: '', retry_at: '', requests: '', traceparent: '' } as const;
const finished = { ...ended, scan_error: '' } as const;

const notDeleted = { deleted_at: { $exists: false } };
const maxBatch = 200;

export interface SbomWithService {
  sbom: SbomDocument;
  service: ServiceDocument;
}

export type SbomStore = ReturnType<typeof createSbomStore>;

/** SBOM records. */
export function createSbomStore(db: Db) {
  const sboms = db.collection<SbomDocument>('sboms');

  async function backlogOf(
    where: Filter<SbomDocument>,
    { since, withinMs }: { since: object | string; withinMs: number },
  ): Promise<{ count: number; since: Date | null }> {
    const [pending] = await sboms
      .aggregate<{ count: number; since: Date | null }>(
        [
          { $match: { ...where, ...notDeleted } },
          { $group: { _id: null, count: { $sum: 1 }, since: { $min: since } } },
        ],
        { maxTimeMS: withinMs },
      )
      .toArray();
    return { count: pending?.count ?? 0, since: pending?.since ?? null };
  }

  return {
    /** The existing ones of these SBOMs. */
    async byIds(ids: readonly string[]): Promise<Map<string, SbomDocument>> {
      if (ids.length === 0) return new Map();
      const found = await sboms.find({ _id: { $in: [...new Set(ids)] }, ...notDeleted }).toArray();
      return new Map(found.map((sbom) => [sbom._id, sbom]));
    },

    /**
     * An SBOM with its service, or null if one of the two does not exist. Concurrent calls share
     * one query.
     */
    withService: createBatcher<string, SbomWithService | null>(async (ids) => {
      const found = await sboms
        .aggregate<SbomDocument & { services: ServiceDocument[] }>([
          { $match: { _id: { $in: [...new Set(ids)] }, ...notDeleted } },
          {
            $lookup: {
              from: 'services',
              localField: 'service_id',
              foreignField: '_id',
              as: 'services',
            },
          },
        ])
        .toArray();
      const by = new Map(
        found.flatMap(({ services: [service], ...sbom }) =>
          service ? [[sbom._id, { sbom, service }]] : [],
        ),
      );
      return ids.map((id) => by.get(id) ?? null);
    }, maxBatch),

    /** Those of these SBOMs without a pending scan, including deleted ones. */
    async notPending(ids: readonly string[]): Promise<string[]> {
      const pending = await sboms
        .find({ _id: { $in: [...ids] }, scan_status: 'pending', ...notDeleted })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      const waiting = new Set(pending.map(({ _id }) => _id));
      return ids.filter((id) => !waiting.has(id));
    },

    /** Includes SBOMs being deleted. */
    byIdOrTombstone: (id: string) => sboms.findOne({ _id: id }),

    /** The versions of SBOMs, including those being deleted; unknown ids are omitted. */
    async versionsOf(ids: string[]): Promise<{ sbom_id: string; version: string | null }[]> {
      const found = await sboms
        .find({ _id: { $in: ids } })
        .project<{ _id: string; version: string | null }>({ version: 1 })
        .toArray();
      return found.map(({ _id, version }) => ({ sbom_id: _id, version }));
    },

    /** SBOMs of a project, newest first, ties by id, except those of the services in `without`. */
    history: (
      projectId: string,
      page: { skip: number; limit: number },
      without: readonly string[],
    ) =>
      sboms
        .find(inHistory(projectId, without))
        .sort({ created_at: -1, _id: 1 })
        .skip(page.skip)
        .limit(page.limit)
        .toArray(),

    /** SBOMs of a service by sequence after `afterSeq`, including those being deleted. */
    ofService: (serviceId: string, afterSeq: number, limit: number) =>
      sboms
        .find({ service_id: serviceId, seq: { $gt: afterSeq } })
        .sort({ seq: 1 })
        .limit(limit)
        .toArray(),

    /**
     * Queues a failed SBOM again; false if it is not failed.
     *
     * @param attempt number of the new attempt
     */
    async queueAgain(id: string, attempt: number, now: Date): Promise<boolean> {
      const retry_at = nextRetry(now, 0);
      const update = await sboms.updateOne(
        { _id: id, scan_status: 'failed', ...notDeleted },
        {
          $set: {
            scan_status: 'pending',
            queued_at: now,
            retry_at,
            requests: 0,
            since_attempt: attempt,
          },
          $unset: { scan_error: '' },
        },
      );
      return update.modifiedCount === 1;
    },

    /** Pending SBOMs whose retry is due. */
    overdueScans: (now: Date, limit: number) =>
      sboms
        .find({ retry_at: { $lte: now }, ...notDeleted })
        .sort({ retry_at: 1 })
        .limit(limit)
        .toArray(),

    overdueRescans: (now: Date, limit: number) =>
      sboms
        .find({ 'rescan.retry_at': { $lte: now }, ...notDeleted })
        .sort({ 'rescan.retry_at': 1 })
        .limit(limit)
        .toArray(),

    /**
     * Pending work by lane, and its age: scans since they were queued, re-scans since their
     * advisory change took effect.
     *
     * @param withinMs time limit of the query
     * @throws MongoServerError if it takes longer
     */
    async backlog(
      withinMs: number,
    ): Promise<Record<'upload' | 'rescan', { count: number; since: Date | null }>> {
      const queued = { $ifNull: ['$queued_at', '$created_at'] };
      const [upload, rescan] = await Promise.all([
        backlogOf({ retry_at: { $exists: true } }, { since: queued, withinMs }),
        backlogOf(
          { 'rescan.retry_at': { $exists: true } },
          { since: '$rescan.changed_at', withinMs },
        ),
      ]);
      return { upload, rescan };
    },

    /** Stores that these were requested again. */
    async postpone(records: SbomDocument[], kind: 'scan' | 'rescan', now: Date): Promise<void> {
      if (records.length === 0) return;
      await sboms.bulkWrite(
        records.map((record) => {
          const requests = ((kind === 'scan' ? record.requests : record.rescan?.requests) ?? 0) + 1;
          const retry = nextRetry(now, requests);
          return kind === 'scan'
            ? {
                updateOne: {
                  filter: { _id: record._id, retry_at: { $exists: true } },
                  update: { $set: { retry_at: retry, requests } },
                },
              }
            : {
                updateOne: {
                  filter: { _id: record._id, 'rescan.revision': record.rescan?.revision },
                  update: { $set: { 'rescan.retry_at': retry, 'rescan.requests': requests } },
                },
              };
        }),
        { ordered: false },
      );
    },

    /**
     * The newest SBOM with one of these component sets in every service that uses one, in pages of
     * up to `perPage`. `missed`: an SBOM was deleted meanwhile and is not returned.
     */
    async *newestPerService(
      digests: readonly string[],
      perPage: number,
    ): AsyncGenerator<{ records: SbomDocument[]; missed: boolean }> {
      const newest = sboms.aggregate<{ newest: { id: string } }>(
        [
          { $match: { digest: { $in: digests }, ...notDeleted } },
          { $group: { _id: '$service_id', newest: { $max: { seq: '$seq', id: '$_id' } } } },
        ],
        { allowDiskUse: true, batchSize: perPage },
      );
      let ids: string[] = [];
      const read = async () => {
        const records = await sboms.find({ _id: { $in: ids }, ...notDeleted }).toArray();
        return { records, missed: records.length < ids.length };
      };
      for await (const service of newest) {
        ids.push(service.newest.id);
        if (ids.length < perPage) continue;
        yield await read();
        ids = [];
      }
      if (ids.length > 0) yield await read();
    },

    /**
     * Marks records for a re-scan. A mark combines all pending changes: the latest revision, the
     * earliest time and the union of packages. Returns the existing records with their marks.
     */
    async markRescans(
      records: SbomDocument[],
      change: {
        revision: number;
        changed_at: Date | null;
        packages: readonly string[] | null;
        retry_at: Date;
      },
    ): Promise<SbomDocument[]> {
      const { retry_at, ...requested } = change;
      if (records.length === 0) return [];
      const ids = records.map((record) => record._id);
      const packages = requested.packages === null ? null : [...requested.packages];
      const isFirst = { $eq: [{ $type: '$rescan' }, 'missing'] };
      const known = { $ifNull: ['$rescan.packages', null] };
      const all = { $setUnion: [known, { $literal: packages }] };
      // `$setUnion` with null is null.
      const bounded = {
        $cond: [{ $gt: [{ $size: { $ifNull: [all, []] } }, maxChangedPackages] }, null, all],
      };
      await sboms.updateMany({ _id: { $in: ids } }, [
        {
          $set: {
            rescan: {
              revision: { $max: ['$rescan.revision', change.revision] },
              retry_at,
              requests: { $literal: 0 },
              changed_at: { $min: ['$rescan.changed_at', change.changed_at] },
              packages: { $cond: [isFirst, { $literal: packages }, bounded] },
            },
          },
        },
      ]);
      const marked = await sboms.find({ _id: { $in: ids }, ...notDeleted }).toArray();
      // A mark that was just completed is returned as requested.
      return marked.map((sbom) => ({
        ...sbom,
        rescan: sbom.rescan ?? { ...requested, packages, retry_at, requests: 0 },
      }));
    },

    /**
     * The services of these SBOMs reflect the revision, at least for these packages (null: all).
     */
    async markRescanned(
      done: { sbom_ids: string[]; revision: number; packages: string[] | null },
      now: Date,
    ): Promise<void> {
      const { sbom_ids, revision, packages } = done;
      const pendingPackages = packages && {
        'rescan.packages': { $type: 'array' as const, $not: { $elemMatch: { $nin: packages } } },
      };
      await sboms.updateMany(
        { _id: { $in: sbom_ids }, 'rescan.revision': { $lte: revision }, ...pendingPackages },
        {
          $set: { scan_status: 'scanned', scanned_at: now },
          $unset: { rescan: '', ...finished },
        },
      );
    },

    /**
     * Marks these SBOMs as scanned, in one round trip. A repeated result that completes nothing
     * does not change `scanned_at`.
     */
    async markScanned(done: { sbom_id: string; revision: number }[], now: Date): Promise<void> {
      const scanned = { scan_status: 'scanned' as const, scanned_at: now };
      const rescans = done.flatMap(({ sbom_id, revision }) =>
        revision > 0 ? [{ _id: sbom_id, 'rescan.revision': { $lte: revision } }] : [],
      );
      await sboms.bulkWrite(
        [
          ...rescans.map((filter) => ({
            updateOne: {
              filter,
              update: { $set: scanned, $unset: { ...finished, rescan: '' as const } },
            },
          })),
          {
            updateMany: {
              filter: {
                _id: { $in: done.map(({ sbom_id }) => sbom_id) },
                scan_status: { $ne: 'scanned' as const },
              },
              update: { $set: scanned, $unset: finished },
            },
          },
        ],
        { ordered: false },
      );
    },

    /**
     * Marks a scan as failed, unless it belongs to an attempt before the SBOM was queued again.
     *
     * @param attempt absent if unknown
     */
    async markFailed(failed: {
      sbom_id: string;
      reason: string;
      attempt?: number | undefined;
    }): Promise<void> {
      const { sbom_id, reason, attempt } = failed;
      const isOfThisScan =
        attempt === undefined ? {} : { since_attempt: { $not: { $gt: attempt } } };
      await sboms.updateOne(
        { _id: sbom_id, scan_status: 'pending', ...isOfThisScan },
        {
          $set: { scan_status: 'failed', scan_error: reason },
          $unset: ended,
        },
      );
    },

    /**
     * Completes deletes: the tombstones only wait for ingest to be notified. Returns their number,
     * so that exactly one of several callers succeeds for each.
     */
    async purge(ids: readonly string[], now: Date): Promise<number> {
      const purged = await sboms.updateMany(
        { _id: { $in: [...ids] }, deleted_at: { $exists: true }, removed_at: { $exists: false } },
        { $set: { removed_at: now } },
      );
      return purged.modifiedCount;
    },

    /**
     * Whether a re-scan is pending for one of these, including SBOMs being deleted, which get no
     * new marks.
     */
    isRescanPending: async (ids: readonly string[]): Promise<boolean> =>
      (await sboms.findOne(
        { _id: { $in: [...ids] }, rescan: { $exists: true } },
        { projection: { _id: 1 } },
      )) !== null,

    unfinishedDeletes: (before: Date, limit: number) =>
      sboms
        .find({ deleted_at: { $lte: before }, removed_at: { $exists: false } })
        .limit(limit)
        .toArray(),
  };
}

function inHistory(projectId: string, without: readonly string[]): Filter<SbomDocument> {
  return {
    project_id: projectId,
    ...(without.length > 0 ? { service_id: { $nin: without } } : {}),
    ...notDeleted,
  };
}
