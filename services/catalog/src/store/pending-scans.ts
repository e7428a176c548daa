import type { Collection, Filter } from 'mongodb';
import { nextRetry } from '../domain/retry-schedule';
import type { SbomDocument } from './documents';
import { notDeleted } from './scan-fields';

/** Pending scans and re-scans: which are due to be requested again, and how many wait. */
export function createPendingScans(sboms: Collection<SbomDocument>) {
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
     * advisory change took effect, or if that is unknown (a change of the matching rules) since they
     * were marked.
     *
     * @param withinMs time limit of the query
     * @throws MongoServerError if it takes longer
     */
    async backlog(
      withinMs: number,
    ): Promise<Record<'upload' | 'rescan', { count: number; since: Date | null }>> {
      const queued = { $ifNull: ['$queued_at', '$created_at'] };
      const changed = { $ifNull: ['$rescan.changed_at', '$rescan.marked_at'] };
      const [upload, rescan] = await Promise.all([
        backlogOf({ retry_at: { $exists: true } }, { since: queued, withinMs }),
        backlogOf({ 'rescan.retry_at': { $exists: true } }, { since: changed, withinMs }),
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
  };
}
