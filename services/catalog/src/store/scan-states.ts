import type { Collection } from 'mongodb';
import { nextRetry } from '../domain/retry-schedule';
import type { SbomDocument } from './documents';
import { ended, finished, notDeleted } from './scan-fields';

/** State of the scan of each SBOM: pending, scanned or failed. */
export function createScanStates(sboms: Collection<SbomDocument>) {
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
