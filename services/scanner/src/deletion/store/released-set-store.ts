import { markIndex, createMarks } from '@bomtrail/deletion';
import { createWalk, type IndexPlan } from '@bomtrail/mongo';
import type { Collection, Db, Document } from 'mongodb';

/** A component set that ingest may have deleted. */
interface ReleasedSetDocument {
  /** Digest. */
  _id: string;
  marked_at: Date;
}

export const releasedSetIndexes: IndexPlan = { released_sets: [markIndex] };

/** Digests of one step of a walk. */
const perStep = 1_000;
/** Collections with data of a set, and the field of its digest. */
const collections = [
  { collection: 'component_sets', by: '_id' },
  { collection: 'component_set_members', by: 'digest' },
  { collection: 'component_set_matches', by: 'digest' },
] as const;

export type ReleasedSetStore = ReturnType<typeof createReleasedSetStore>;

/** Component sets that ingest is about to delete or does not have. */
export function createReleasedSetStore(db: Db) {
  const released = db.collection<ReleasedSetDocument>('released_sets');
  const walk = createWalk(db, perStep);
  const { due, remove } = createMarks(released);

  async function upsert(digests: readonly string[], update: object): Promise<void> {
    if (digests.length === 0) return;
    await released.bulkWrite(
      digests.map((_id) => ({ updateOne: { filter: { _id }, update, upsert: true } })),
      { ordered: false },
    );
  }

  return {
    /**
     * Adds sets that are about to be deleted; they are checked one grace period after the last
     * call.
     */
    add: (digests: readonly string[], now: Date) => upsert(digests, { $set: { marked_at: now } }),

    /** Adds sets that seem unused; sets already added keep their time. */
    addUnused: (digests: readonly string[], now: Date) =>
      upsert(digests, { $setOnInsert: { marked_at: now } }),

    due,

    /** Removes sets unless they were added again meanwhile. */
    remove: remove,

    /** Visits the next page of the digests with stored data; one step per call. */
    async walk(visit: (digests: string[]) => Promise<void>): Promise<void> {
      for (const { collection, by } of collections) {
        await walk(collection, async (after, limit) => {
          const documents: Collection<Document> = db.collection(collection);
          const found = await documents
            .find({ [by]: { $gt: after } }, { projection: { _id: 0, [by]: 1 } })
            .sort({ [by]: 1 })
            .limit(limit)
            .toArray();
          const digests = found.map((one) => one[by] as string);
          if (digests.length > 0) await visit([...new Set(digests)]);
          return digests;
        });
      }
    },
  };
}
