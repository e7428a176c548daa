import type { Db } from 'mongodb';

interface WalkDocument {
  _id: string;
  /** The last id that was looked at. */
  after: string;
}

/** Looks at the next page of a collection; see `createWalk`. */
export type Walk = (
  name: string,
  look: (after: string, limit: number) => Promise<string[]>,
) => Promise<void>;

/**
 * Walks through a collection in the order of its ids, one bounded page a step, and begins anew at its
 * end: what no event told of is found all the same, at a cost that does not grow with the collection.
 *
 * @param perStep ids that one step looks at
 * @returns `look` is given the id after which to begin and how many to take, and gives the ids that it
 *   looked at, in order. A step that fails is repeated.
 */
export function createWalk(db: Db, perStep: number): Walk {
  const walks = db.collection<WalkDocument>('walks');
  return async (name, look) => {
    const begun = await walks.findOne({ _id: name });
    const seen = await look(begun?.after ?? '', perStep);
    const after = seen.length < perStep ? '' : (seen.at(-1) ?? '');
    if (after === (begun?.after ?? '')) return;
    await walks.updateOne({ _id: name }, { $set: { after } }, { upsert: true });
  };
}
