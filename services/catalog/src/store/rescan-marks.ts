import { maxChangedPackages } from '@bomtrail/messages';
import type { Collection } from 'mongodb';
import type { SbomDocument } from './documents';
import { finished, notDeleted } from './scan-fields';

/** Marks of SBOMs whose services must reflect an advisory change. */
export function createRescanMarks(sboms: Collection<SbomDocument>) {
  /**
   * Marks records for a re-scan. A mark combines all pending changes: the latest revision, the
   * earliest time and the union of packages. Returns the existing records with their marks.
   */
  async function markRescans(
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
            marked_at: { $ifNull: ['$rescan.marked_at', '$$NOW'] },
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
  }

  return {
    markRescans,

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

    /** Those of these that wait for a re-scan, including SBOMs being deleted, which get no new marks. */
    waitingForRescan: (ids: readonly string[]): Promise<SbomDocument[]> =>
      sboms.find({ _id: { $in: [...ids] }, rescan: { $exists: true } }).toArray(),

    /**
     * Marks instead of each of these SBOMs the newest one of its service with the same component set, if there is one:
     * it may have been uploaded after the change took effect and still be based on the findings of before.
     */
    async passOnRescans(waiting: readonly SbomDocument[], retry_at: Date): Promise<void> {
      for (const { digest, service_id, rescan } of waiting) {
        const successor = await sboms.findOne(
          { digest, service_id, ...notDeleted },
          { sort: { seq: -1 } },
        );
        if (!successor || !rescan) continue;
        const { revision, changed_at = null, packages = null } = rescan;
        await markRescans([successor], { revision, changed_at, packages, retry_at });
      }
    },
  };
}
