import type { Collection, Filter, IndexDescription } from 'mongodb';

/** Content that several may refer to, and that goes when nobody does any more. */
export interface Condemnable {
  _id: string;
  /** Since when nothing seemed to refer to it; absent: somebody does, as far as is known. */
  condemned_at?: Date;
}

/** A document as it was condemned: whoever uses it meanwhile lifts the mark, and it stays. */
export interface Condemned {
  _id: string;
  condemned_at: Date;
}

/** Finds the condemned documents of a collection; holds nothing else. */
export const condemnedIndex: IndexDescription = {
  key: { condemned_at: 1 },
  name: 'condemned',
  partialFilterExpression: { condemned_at: { $exists: true } },
};

export type CondemnedStore = ReturnType<typeof createCondemned>;

/**
 * The two steps in which shared content goes (ADR 0018): it is condemned when nothing seems to refer
 * to it, looked at again after a grace, and removed only when the mark is still the same. Whoever
 * stores a reference lifts the mark of what is referred to first.
 */
export function createCondemned<Document extends Condemnable>(collection: Collection<Document>) {
  const documents = collection as unknown as Collection<Condemnable>;

  return {
    /** A reference to these is about to go: their marks are of now, also where there was an older one. Gives how many are there. */
    async condemn(ids: readonly string[], now: Date): Promise<number> {
      if (ids.length === 0) return 0;
      const mark = { $set: { condemned_at: now } };
      return (await documents.updateMany({ _id: { $in: [...ids] } }, mark)).matchedCount;
    },

    /** Nothing refers to these: marks those that are not marked yet. Gives how many it marked. */
    async condemnUnmarked(ids: readonly string[], now: Date): Promise<number> {
      if (ids.length === 0) return 0;
      const where = { _id: { $in: [...ids] }, condemned_at: { $exists: false } };
      return (await documents.updateMany(where, { $set: { condemned_at: now } })).modifiedCount;
    },

    /** Those that were condemned at this moment or before, the oldest first. */
    async due(before: Date, limit: number): Promise<Condemned[]> {
      const found = documents
        .find({ condemned_at: { $lte: before } }, { projection: { condemned_at: 1 } })
        .sort({ condemned_at: 1 })
        .limit(limit);
      return (await found.toArray()) as Condemned[];
    },

    /** These are in use: takes back the marks that are still the same. */
    async spare(condemned: readonly Condemned[]): Promise<void> {
      if (condemned.length === 0) return;
      await documents.bulkWrite(
        condemned.map((one) => ({ updateOne: { filter: same(one), update: lifted } })),
        { ordered: false },
      );
    },

    /** Removes those of which the mark is still the same; gives how many went. */
    async remove(condemned: readonly Condemned[]): Promise<number> {
      if (condemned.length === 0) return 0;
      const removed = await documents.bulkWrite(
        condemned.map((one) => ({ deleteOne: { filter: same(one) } })),
        { ordered: false },
      );
      return removed.deletedCount;
    },
  };
}

/** What whoever stores a reference writes first. */
export const lifted = { $unset: { condemned_at: '' } } as const;

function same({ _id, condemned_at }: Condemned): Filter<Condemnable> {
  return { _id, condemned_at };
}
