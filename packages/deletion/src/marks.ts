import type { Collection, Filter, IndexDescription } from 'mongodb';

/** Shared content that is removed when nothing refers to it any more. */
export interface Markable {
  _id: string;
  /** When it was last found unreferenced; absent: referenced. */
  marked_at?: Date;
}

/** A marked document; a new reference removes the mark, and the document stays. */
export interface MarkedDocument {
  _id: string;
  marked_at: Date;
}

/** Partial index of the marked documents of a collection. */
export const markIndex: IndexDescription = {
  key: { marked_at: 1 },
  name: 'marked',
  partialFilterExpression: { marked_at: { $exists: true } },
};

export type MarkStore = ReturnType<typeof createMarks>;

/**
 * Two-phase garbage collection (ADR 0018): unreferenced content is marked, checked again after a grace period, and
 * removed if the mark is unchanged. Before storing a reference, a writer removes the mark of the content.
 */
export function createMarks<Document extends Markable>(collection: Collection<Document>) {
  const documents = collection as unknown as Collection<Markable>;

  return {
    /** Marks these documents with the current time, replacing older marks. Returns how many exist. */
    async mark(ids: readonly string[], now: Date): Promise<number> {
      if (ids.length === 0) return 0;
      const mark = { $set: { marked_at: now } };
      return (await documents.updateMany({ _id: { $in: [...ids] } }, mark)).matchedCount;
    },

    /** Marks those of these documents that are unmarked. Returns how many it marked. */
    async markUnreferenced(ids: readonly string[], now: Date): Promise<number> {
      if (ids.length === 0) return 0;
      const where = { _id: { $in: [...ids] }, marked_at: { $exists: false } };
      return (await documents.updateMany(where, { $set: { marked_at: now } })).modifiedCount;
    },

    /** Returns documents marked at or before this time, oldest first. */
    async due(before: Date, limit: number): Promise<MarkedDocument[]> {
      const found = documents
        .find({ marked_at: { $lte: before } }, { projection: { marked_at: 1 } })
        .sort({ marked_at: 1 })
        .limit(limit);
      return (await found.toArray()) as MarkedDocument[];
    },

    /** Removes marks that are unchanged: these documents are in use. */
    async unmark(marked: readonly MarkedDocument[]): Promise<void> {
      if (marked.length === 0) return;
      await documents.bulkWrite(
        marked.map((one) => ({ updateOne: { filter: same(one), update: unmarked } })),
        { ordered: false },
      );
    },

    /** Deletes the documents whose marks are unchanged. Returns how many were deleted. */
    async remove(marked: readonly MarkedDocument[]): Promise<number> {
      if (marked.length === 0) return 0;
      const removed = await documents.bulkWrite(
        marked.map((one) => ({ deleteOne: { filter: same(one) } })),
        { ordered: false },
      );
      return removed.deletedCount;
    },
  };
}

/** Update that removes the mark; written before storing a reference. */
export const unmarked = { $unset: { marked_at: '' } } as const;

function same({ _id, marked_at }: MarkedDocument): Filter<Markable> {
  return { _id, marked_at };
}
