import type { IndexPlan } from '@bomtrail/mongo';
import type { Db } from 'mongodb';

/**
 * A package whose advisories changed. Never deleted: it decides whether an assessment is still
 * valid.
 */
export interface PackageChange {
  /** Package key. */
  _id: string;
  /** Last revision that changed the package's advisories; may not be in force yet. */
  revision: number;
  /** The change before that; absent for none. */
  former_revision?: number;
  /** Whether package versions still have to be evaluated. */
  pending: boolean;
}

export const packageChangeIndexes: IndexPlan = {
  package_changes: [
    { key: { revision: 1 }, partialFilterExpression: { pending: true }, name: 'pending' },
  ],
};

/** The last change of the package up to a revision; 0 for none. */
export function lastChangeAt(change: PackageChange | undefined, revision: number): number {
  if (!change) return 0;
  const { revision: last, former_revision: former = 0 } = change;
  if (last <= revision) return last;
  // Two later changes: the revision is no longer in force, so older assessments do not count.
  return former <= revision ? former : revision;
}

export type PackageChangeStore = ReturnType<typeof createPackageChangeStore>;

/** The packages whose advisories changed after the first load. */
export function createPackageChangeStore(db: Db) {
  const changes = db.collection<PackageChange>('package_changes');

  return {
    /**
     * Records a change that takes effect with the revision; call it before the advisories change.
     */
    async add(packages: string[], revision: number): Promise<void> {
      if (packages.length === 0) return;
      await changes.bulkWrite(
        packages.map((key) => ({
          updateOne: {
            filter: { _id: key },
            update: [
              {
                $set: {
                  former_revision: {
                    $cond: [{ $lt: ['$revision', revision] }, '$revision', '$former_revision'],
                  },
                  revision: { $max: ['$revision', revision] },
                  pending: true,
                },
              },
            ],
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    /** The last change of each package; packages without changes are missing. */
    async lastChanges(packages: string[]): Promise<Map<string, PackageChange>> {
      if (packages.length === 0) return new Map();
      const found = await changes.find({ _id: { $in: packages } }).toArray();
      return new Map(found.map((change) => [change._id, change]));
    },

    /** Changes in force that are not applied. */
    nextPending: (revision: number, limit: number): Promise<PackageChange[]> =>
      changes
        .find({ pending: true, revision: { $lte: revision } })
        .sort({ revision: 1 })
        .limit(limit)
        .toArray(),

    /** Whether an unfinished load recorded changes for a later revision. */
    async hasLaterThan(revision: number): Promise<boolean> {
      return (await changes.findOne({ pending: true, revision: { $gt: revision } })) !== null;
    },

    /** Whether an overtaken process recorded changes for an applied revision. */
    async hasLateComers(revision: number): Promise<boolean> {
      return (await changes.findOne({ pending: true, revision: { $lte: revision } })) !== null;
    },

    /** Marks changes as applied, unless they were replaced by later ones. */
    async markApplied(applied: PackageChange[]): Promise<void> {
      await changes.bulkWrite(
        applied.map(({ _id, revision }) => ({
          updateOne: { filter: { _id, revision }, update: { $set: { pending: false } } },
        })),
        { ordered: false },
      );
    },
  };
}
