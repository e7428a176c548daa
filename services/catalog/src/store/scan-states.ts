import type { Collection, Filter } from 'mongodb';
import { nextRetry } from '../domain/retry-schedule';
import type { SbomDocument } from './documents';
import { ended, finished, notDeleted } from './scan-fields';

/** State of the scan of each SBOM: pending, scanned or failed, and when it is requested again. */
export function createScanStates(sboms: Collection<SbomDocument>) {
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
    /** Those of these SBOMs without a pending scan, including deleted ones. */
    async notPending(ids: readonly string[]): Promise<string[]> {
      const pending = await sboms
        .find({ _id: { $in: [...ids] }, scan_status: 'pending', ...notDeleted })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      const waiting = new Set(pending.map(({ _id }) => _id));
      return ids.filter((id) => !waiting.has(id));
    },

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
  };
}
