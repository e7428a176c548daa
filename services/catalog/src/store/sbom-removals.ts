import type { Collection } from 'mongodb';
import type { SbomDocument } from './documents';
import { notDeleted } from './scan-fields';

/** Expires SBOM records, and completes deletes of them. */
export function createSbomRemovals(sboms: Collection<SbomDocument>) {
  return {
    /**
     * Expires those of these SBOMs that are not expired, deleted or waiting for a re-scan; returns their
     * number.
     */
    async expire(ids: readonly string[], at: Date): Promise<number> {
      const none = { $exists: false };
      const update = await sboms.updateMany(
        { _id: { $in: [...ids] }, expired: none, rescan: none, ...notDeleted },
        [
          { $set: { expired: { at, sha256: '$sha256', digest: '$digest' } } },
          { $unset: ['sha256', 'digest'] },
        ],
      );
      return update.modifiedCount;
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

    unfinishedDeletes: (before: Date, limit: number) =>
      sboms
        .find({ deleted_at: { $lte: before }, removed_at: { $exists: false } })
        .limit(limit)
        .toArray(),
  };
}
