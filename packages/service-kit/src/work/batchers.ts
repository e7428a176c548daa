import { createBatcher, type Batched } from './batcher';

/** Hands one item in under a key; `run` does the work of the group that the item begins. */
export type BatchedByKey<Item, Result> = (
  key: string,
  item: Item,
  run: (items: Item[]) => Promise<Result[]>,
) => Promise<Result>;

/**
 * A batcher for each key, as long as anything is in hand under it: what comes while the work for a key
 * is under way is the next group of this key, and keys do not wait for each other.
 *
 * @param maxSize items in one group, at least 1
 */
export function createBatchers<Item, Result>(maxSize: number): BatchedByKey<Item, Result> {
  const keys = new Map<string, { batched: Batched<Item, Result>; inHand: number }>();
  return async (key, item, run) => {
    const own = keys.get(key) ?? { batched: createBatcher(run, maxSize), inHand: 0 };
    keys.set(key, own);
    own.inHand += 1;
    try {
      return await own.batched(item);
    } finally {
      own.inHand -= 1;
      if (own.inHand === 0) keys.delete(key);
    }
  };
}
