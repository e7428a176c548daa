import { markIndex, createMarks, createWalk, type IndexPlan } from '@bomtrail/service-kit';
import type { Collection, Db, Document } from 'mongodb';

/** A component set that ingest may not hold any more. */
interface ReleasedSetDocument {
  /** Digest. */
  _id: string;
  marked_at: Date;
}

export const releasedSetIndexes: IndexPlan = { released_sets: [markIndex] };

/** Digests that one step of a walk looks at. */
const perStep = 1_000;
/** Where something of a set is kept, and by which field. */
const collections = [
  { collection: 'component_sets', by: '_id' },
  { collection: 'component_set_members', by: 'digest' },
  { collection: 'component_set_matches', by: 'digest' },
] as const;

export type ReleasedSetStore = ReturnType<typeof createReleasedSetStore>;

/** Notes of component sets that ingest is about to drop, or does not hold. */
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
    /** Sets that are about to be dropped: they are looked at a grace after the last of these. */
    add: (digests: readonly string[], now: Date) => upsert(digests, { $set: { marked_at: now } }),

    /** Sets that seem to be held nowhere; one that is noted already is looked at when it is due. */
    addUnused: (digests: readonly string[], now: Date) =>
      upsert(digests, { $setOnInsert: { marked_at: now } }),

    due,

    /** Strikes out those that were not noted again since. */
    remove: remove,

    /** The next page of the digests of which anything is kept, one step a call. */
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
