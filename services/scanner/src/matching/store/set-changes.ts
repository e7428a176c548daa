import type { Db } from 'mongodb';
import { isCurrent, type SetDocument } from './component-set-documents';

/** A change of the findings of a set that is not published. */
export interface SetChange {
  digest: string;
  revision: number;
  /** When it came into force; null if unknown. */
  changed_at: Date | null;
  /** Package keys of the affected findings; null: any. */
  packages: readonly string[] | null;
}

/** A set affected by a change and evaluated at an older revision. */
export interface OlderSet {
  digest: string;
  /** Whether it was evaluated by the current rules. */
  isCurrent: boolean;
  /** Whether it has an earlier unpublished change. */
  isUnpublished: boolean;
}

/** Changes of the findings of component sets, until their rescans are requested. */
export function createSetChanges(db: Db) {
  const sets = db.collection<SetDocument>('component_sets');

  return {
    /**
     * Records that the findings of sets changed with the revision that came into force at
     * `changedAt`, unless a change of a later one is recorded. A new summary, if needed, is saved
     * afterwards; then `recordChangedPackages` may narrow the affected packages.
     */
    async markChanged(digests: string[], revision: number, changedAt: Date | null): Promise<void> {
      if (digests.length === 0) return;
      const earliest = {
        $cond: ['$unpublished', { $min: ['$changed_at', changedAt] }, changedAt],
      };
      const change = { changed_revision: revision, unpublished: true, changed_at: earliest };
      // A process that was paused for long may come late.
      const notLater = {
        revision: { $lt: revision },
        changed_revision: { $not: { $gt: revision } },
      };
      await sets.updateMany({ _id: { $in: digests }, ...notLater }, [
        { $set: { ...change, changed_packages: null } },
      ]);
    },

    /**
     * Records the packages affected by the revision, for sets without other unpublished changes.
     */
    async recordChangedPackages(
      changes: readonly { digest: string; packages: string[] }[],
      revision: number,
    ): Promise<void> {
      if (changes.length === 0) return;
      await sets.bulkWrite(
        changes.map(({ digest, packages }) => ({
          updateOne: {
            filter: { _id: digest, changed_revision: revision, unpublished: true },
            update: { $set: { changed_packages: packages } },
          },
        })),
        { ordered: false },
      );
    },

    /**
     * Records that a change of the revision affects the sets; scans in progress start again at this
     * revision. Returns the sets evaluated at an older revision.
     */
    async beginChange(digests: string[], revision: number): Promise<OlderSet[]> {
      await sets.bulkWrite(
        digests.map((digest) => ({
          updateOne: {
            filter: { _id: digest },
            update: { $setOnInsert: { revision } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
      // Sets already affected by another part of the change: the recorded packages are incomplete.
      await sets.updateMany(
        { _id: { $in: digests }, revision: { $gte: revision }, unpublished: true },
        { $set: { changed_packages: null } },
      );
      const older = await sets
        .find(
          { _id: { $in: digests }, revision: { $lt: revision }, counts: { $exists: true } },
          { projection: { rules: 1, unpublished: 1 } },
        )
        .toArray();
      return older.map((found) => ({
        digest: found._id,
        isCurrent: isCurrent(found),
        isUnpublished: found.unpublished === true,
      }));
    },

    /** Yields pages of sets with unpublished changes up to the revision. */
    async *listUnpublished(revision: number, perPage: number): AsyncGenerator<SetChange[]> {
      // Small batches, so that the cursor does not expire while the caller sends requests.
      const found = sets.find(
        { unpublished: true, changed_revision: { $lte: revision } },
        {
          projection: { changed_revision: 1, changed_at: 1, changed_packages: 1 },
          batchSize: perPage,
        },
      );
      let page: SetChange[] = [];
      for await (const { _id, changed_revision = 0, changed_at = null, ...rest } of found) {
        const packages = rest.changed_packages ?? null;
        page.push({ digest: _id, revision: changed_revision, changed_at, packages });
        if (page.length < perPage) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },

    /** Whether any set has an unpublished change. */
    async hasUnpublished(): Promise<boolean> {
      return (await sets.findOne({ unpublished: true }, { projection: { _id: 1 } })) !== null;
    },

    /** Marks the changes of one revision as published; sets that changed again stay unpublished. */
    async markPublished(digests: string[], revision: number): Promise<void> {
      await sets.updateMany(
        { _id: { $in: digests }, changed_revision: revision },
        {
          $set: { published_revision: revision },
          $unset: { unpublished: true, changed_packages: true },
        },
      );
    },
  };
}
