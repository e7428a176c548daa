import type { Collection, Filter, IndexDescription } from 'mongodb';

/** Content that several may refer to, and that goes when nobody does any more. */
export interface Markable {
  _id: string;
  /** Since when nothing seemed to refer to it; absent: somebody does, as far as is known. */
  marked_at?: Date;
}

/** A document as it was condemned: whoever uses it meanwhile lifts the mark, and it stays. */
export interface Marks {
  _id: string;
  marked_at: Date;
}

/** Finds the condemned documents of a collection; holds nothing else. */
export const markIndex: IndexDescription = {
  key: { marked_at: 1 },
  name: 'marked',
  partialFilterExpression: { marked_at: { $exists: true } },
};

export type MarkStore = ReturnType<typeof createMarks>;

/**
 * The two steps in which shared content goes (ADR 0018): it is condemned when nothing seems to refer
 * to it, looked at again after a grace, and removed only when the mark is still the same. Whoever
 * stores a reference lifts the mark of what is referred to first.
 */
export function createMarks<Document extends Markable>(collection: Collection<Document>) {
  const documents = collection as unknown as Collection<Markable>;

  return {
    /** A reference to these is about to go: their marks are of now, also where there was an older one. Gives how many are there. */
    async mark(ids: readonly string[], now: Date): Promise<number> {
      if (ids.length === 0) return 0;
      const mark = { $set: { marked_at: now } };
      return (await documents.updateMany({ _id: { $in: [...ids] } }, mark)).matchedCount;
    },

    /** Nothing refers to these: marks those that are not marked yet. Gives how many it marked. */
    async markUnreferenced(ids: readonly string[], now: Date): Promise<number> {
      if (ids.length === 0) return 0;
      const where = { _id: { $in: [...ids] }, marked_at: { $exists: false } };
      return (await documents.updateMany(where, { $set: { marked_at: now } })).modifiedCount;
    },

    /** Those that were condemned at this moment or before, the oldest first. */
    async due(before: Date, limit: number): Promise<Marks[]> {
      const found = documents
        .find({ marked_at: { $lte: before } }, { projection: { marked_at: 1 } })
        .sort({ marked_at: 1 })
        .limit(limit);
      return (await found.toArray()) as Marks[];
    },

    /** These are in use: takes back the marks that are still the same. */
    async spare(marked: readonly Marks[]): Promise<void> {
      if (marked.length === 0) return;
      await documents.bulkWrite(
        marked.map((one) => ({ updateOne: { filter: same(one), update: unmarked } })),
        { ordered: false },
      );
    },

    /** Removes those of which the mark is still the same; gives how many went. */
    async remove(marked: readonly Marks[]): Promise<number> {
      if (marked.length === 0) return 0;
      const removed = await documents.bulkWrite(
        marked.map((one) => ({ deleteOne: { filter: same(one) } })),
        { ordered: false },
      );
      return removed.deletedCount;
    },
  };
}

/** What whoever stores a reference writes first. */
export const unmarked = { $unset: { marked_at: '' } } as const;

function same({ _id, marked_at }: Marks): Filter<Markable> {
  return { _id, marked_at };
}
