import type { IndexPlan } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';

/** A package whose advisories changed. Kept for ever: it tells whether an old assessment still holds. */
export interface PackageChange {
  /** Package key. */
  _id: string;
  /** The revision with which the package's advisories changed last; it may not be in force yet. */
  revision: number;
  /** The change before that; absent when there was none. */
  former_revision?: number;
  /** There is still a package version to be looked at again because of it. */
  pending: boolean;
}

export const packageChangeIndexes: IndexPlan = {
  package_changes: [
    { key: { revision: 1 }, partialFilterExpression: { pending: true }, name: 'pending' },
  ],
};

/** The revision of the package's last change that counts at a revision; 0 when it never changed. */
export function lastChangeAt(change: PackageChange | undefined, revision: number): number {
  if (!change) return 0;
  const { revision: last, former_revision: former = 0 } = change;
  if (last <= revision) return last;
  // Two later ones are noted, so the revision is in force no more: what is older is not relied upon.
  return former <= revision ? former : revision;
}

export type PackageChangeStore = ReturnType<typeof createPackageChangeStore>;

/** The packages whose advisories changed after the first load. */
export function createPackageChangeStore(db: Db) {
  const changes = db.collection<PackageChange>('package_changes');

  return {
    /** Notes a change that comes into force with the revision; called before the advisory changes. */
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

    /** The last change of each package; a package that never changed is not in the answer. */
    async lastChanges(packages: string[]): Promise<Map<string, PackageChange>> {
      if (packages.length === 0) return new Map();
      const found = await changes.find({ _id: { $in: packages } }).toArray();
      return new Map(found.map((change) => [change._id, change]));
    },

    /** Changes that are in force and not settled yet. */
    nextPending: (revision: number, limit: number): Promise<PackageChange[]> =>
      changes
        .find({ pending: true, revision: { $lte: revision } })
        .sort({ revision: 1 })
        .limit(limit)
        .toArray(),

    /** Was a load begun and not ended that would have led to a later revision? */
    async hasLaterThan(revision: number): Promise<boolean> {
      return (await changes.findOne({ pending: true, revision: { $gt: revision } })) !== null;
    },

    /**
     * Of a revision that is settled: has a process that was overtaken by it, and did not know, noted a
     * change for it afterwards?
     */
    async hasLateComers(revision: number): Promise<boolean> {
      return (await changes.findOne({ pending: true, revision: { $lte: revision } })) !== null;
    },

    /** Settles the changes, unless a later one has come in between. */
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
