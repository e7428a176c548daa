import type { Db } from 'mongodb';

interface WalkDocument {
  _id: string;
  /** The last id visited. */
  after: string;
}

/** Visits the next page of a collection; see `createWalk`. */
export type Walk = (
  name: string,
  visit: (after: string, limit: number) => Promise<string[]>,
) => Promise<void>;

/**
 * Walks through a collection in the order of its ids, one bounded page per step, and restarts at its end. Sweeps use
 * it to find work that no event reported, at a constant cost.
 *
 * @param perStep ids per step
 * @returns `visit` gets the id to start after and the number of ids, and returns the visited ids in order. A failed
 *   step is repeated.
 */
export function createWalk(db: Db, perStep: number): Walk {
  const walks = db.collection<WalkDocument>('walks');
  return async (name, visit) => {
    const begun = await walks.findOne({ _id: name });
    const seen = await visit(begun?.after ?? '', perStep);
    const after = seen.length < perStep ? '' : (seen.at(-1) ?? '');
    if (after === (begun?.after ?? '')) return;
    await walks.updateOne({ _id: name }, { $set: { after } }, { upsert: true });
  };
}
