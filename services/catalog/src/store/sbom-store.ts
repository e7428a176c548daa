import { maxChangedPackages } from '@bomtrail/messages';
import { createBatcher, type IndexPlan } from '@bomtrail/service-kit';
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

/** What a record no longer needs once its scan has ended, and once it is in the lists. */
const ended = { queued_at: '', retry_at: '', requests: '', traceparent: '' } as const;
const finished = { ...ended, scan_error: '' } as const;

const alive = { deleted_at: { $exists: false } };
const mostTogether = 200;

export interface SbomWithService {
  sbom: SbomDocument;
  service: ServiceDocument;
}

export type SbomStore = ReturnType<typeof createSbomStore>;

/** SBOM records: the version log that the lines order. */
export function createSbomStore(db: Db) {
  const sboms = db.collection<SbomDocument>('sboms');

  async function owedOf(
    where: Filter<SbomDocument>,
    { since, withinMs }: { since: object | string; withinMs: number },
  ): Promise<{ count: number; since: Date | null }> {
    const [owed] = await sboms
      .aggregate<{ count: number; since: Date | null }>(
        [
          { $match: { ...where, ...alive } },
          { $group: { _id: null, count: { $sum: 1 }, since: { $min: since } } },
        ],
        { maxTimeMS: withinMs },
      )
      .toArray();
    return { count: owed?.count ?? 0, since: owed?.since ?? null };
  }

  return {
    /** Those of these that exist. */
    async byIds(ids: readonly string[]): Promise<Map<string, SbomDocument>> {
      if (ids.length === 0) return new Map();
      const found = await sboms.find({ _id: { $in: [...new Set(ids)] }, ...alive }).toArray();
      return new Map(found.map((sbom) => [sbom._id, sbom]));
    },

    /** One with its line, or null where one of the two is not there; what several ask for at the same moment is one question. */
    withService: createBatcher<string, SbomWithService | null>(async (ids) => {
      const found = await sboms
        .aggregate<SbomDocument & { services: ServiceDocument[] }>([
          { $match: { _id: { $in: [...new Set(ids)] }, ...alive } },
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
    }, mostTogether),

    /** Those of these that do not wait for their scan, also because they are gone. */
    async notPending(ids: readonly string[]): Promise<string[]> {
      const pending = await sboms
        .find({ _id: { $in: [...ids] }, scan_status: 'pending', ...alive })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      const waiting = new Set(pending.map(({ _id }) => _id));
      return ids.filter((id) => !waiting.has(id));
    },

    /** Also one whose delete has begun. */
    byIdOrTombstone: (id: string) => sboms.findOne({ _id: id }),

    /** The versions of SBOMs, also while they are being deleted; one that is gone is left out. */
    async versionsOf(ids: string[]): Promise<{ sbom_id: string; version: string | null }[]> {
      const found = await sboms
        .find({ _id: { $in: ids } })
        .project<{ _id: string; version: string | null }>({ version: 1 })
        .toArray();
      return found.map(({ _id, version }) => ({ sbom_id: _id, version }));
    },

    /** SBOMs of a project, newest first, ties by id; those of the lines in `without` are left out. */
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

    /** How many there are, one by one. */
    countHistory: (projectId: string, without: readonly string[]): Promise<number> =>
      sboms.countDocuments(inHistory(projectId, without)),

    /** Of a line, by sequence, behind `afterSeq`; also those whose delete has begun. */
    ofService: (serviceId: string, afterSeq: number, limit: number) =>
      sboms
        .find({ service_id: serviceId, seq: { $gt: afterSeq } })
        .sort({ seq: 1 })
        .limit(limit)
        .toArray(),

    /**
     * Queues a failed SBOM again; false when it is not failed.
     *
     * @param attempt the one that it is asked for with
     */
    async queueAgain(id: string, attempt: number, now: Date): Promise<boolean> {
      const retry_at = nextRetry(now, 0);
      const update = await sboms.updateOne(
        { _id: id, scan_status: 'failed', ...alive },
        {
          $set: {
            ...{ scan_status: 'pending', queued_at: now, retry_at, requests: 0 },
            since_attempt: attempt,
          },
          $unset: { scan_error: '' },
        },
      );
      return update.modifiedCount === 1;
    },

    /** Pending SBOMs whose scan should have been done by now. */
    overdueScans: (now: Date, limit: number) =>
      sboms
        .find({ retry_at: { $lte: now }, ...alive })
        .sort({ retry_at: 1 })
        .limit(limit)
        .toArray(),

    overdueRescans: (now: Date, limit: number) =>
      sboms
        .find({ 'rescan.retry_at': { $lte: now }, ...alive })
        .sort({ 'rescan.retry_at': 1 })
        .limit(limit)
        .toArray(),

    /**
     * What is stored and not done yet in each lane, and since when: of scans since they were queued, of
     * re-scans since the change that asks for them came into force.
     *
     * @param withinMs how long the database may take
     * @throws MongoServerError where it took longer
     */
    async owed(
      withinMs: number,
    ): Promise<Record<'upload' | 'rescan', { count: number; since: Date | null }>> {
      const queued = { $ifNull: ['$queued_at', '$created_at'] };
      const [upload, rescan] = await Promise.all([
        owedOf({ retry_at: { $exists: true } }, { since: queued, withinMs }),
        owedOf({ 'rescan.retry_at': { $exists: true } }, { since: '$rescan.changed_at', withinMs }),
      ]);
      return { upload, rescan };
    },

    /** Notes that these were asked for again. */
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
     * In every line that holds one of these component sets the newest SBOM with one of them, some
     * (up to `perPage`) at a time. `missed`: of a line whose newest one was deleted meanwhile none is given.
     */
    async *newestPerService(
      digests: readonly string[],
      perPage: number,
    ): AsyncGenerator<{ records: SbomDocument[]; missed: boolean }> {
      const newest = sboms.aggregate<{ newest: { id: string } }>(
        [
          { $match: { digest: { $in: digests }, ...alive } },
          { $group: { _id: '$service_id', newest: { $max: { seq: '$seq', id: '$_id' } } } },
        ],
        { allowDiskUse: true, batchSize: perPage },
      );
      let ids: string[] = [];
      const read = async () => {
        const records = await sboms.find({ _id: { $in: ids }, ...alive }).toArray();
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
     * Marks records for a re-scan. A mark stands for all that is owed: of several changes the latest
     * revision, the earliest moment and the packages of all. Gives the marks of those that exist.
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
      const { retry_at, ...asked } = change;
      if (records.length === 0) return [];
      const ids = records.map((record) => record._id);
      const packages = asked.packages === null ? null : [...asked.packages];
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
      const marked = await sboms.find({ _id: { $in: ids }, ...alive }).toArray();
      // One that was just worked off is asked for as it was meant.
      return marked.map((sbom) => ({
        ...sbom,
        rescan: sbom.rescan ?? { ...asked, packages, retry_at, requests: 0 },
      }));
    },

    /** These lines show what is found at the revision, in these packages at least (null: in all). */
    async markCaughtUp(
      done: { sbom_ids: string[]; revision: number; packages: string[] | null },
      now: Date,
    ): Promise<void> {
      const { sbom_ids, revision, packages } = done;
      const owedPackages = packages && {
        'rescan.packages': { $type: 'array' as const, $not: { $elemMatch: { $nin: packages } } },
      };
      await sboms.updateMany(
        { _id: { $in: sbom_ids }, 'rescan.revision': { $lte: revision }, ...owedPackages },
        {
          $set: { scan_status: 'scanned', scanned_at: now },
          $unset: { rescan: '', ...finished },
        },
      );
    },

    /**
     * The results of these SBOMs are in the lists: one round trip for all of them. A scan that is told
     * again, which ended nothing that was open, does not move its time.
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
     * A scan was given up. That of an attempt before the SBOM was queued again says nothing of the one
     * that is under way.
     *
     * @param attempt absent where the release that tells it does not name it
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
     * Ends deletes: the tombstones only wait until ingest has heard of them. Gives how many, so that of
     * several callers exactly one is told of each.
     */
    async purge(ids: readonly string[], now: Date): Promise<number> {
      const purged = await sboms.updateMany(
        { _id: { $in: [...ids] }, deleted_at: { $exists: true }, removed_at: { $exists: false } },
        { $set: { removed_at: now } },
      );
      return purged.modifiedCount;
    },

    /** Is an advisory change owed to one of these, also where its delete has begun? None is marked after that. */
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
    ...alive,
  };
}
