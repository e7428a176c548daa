import { createBatcher, type Batched } from './batcher';

/** Submits an item under a key; `run` processes the batch that the item starts. */
export type BatchedByKey<Item, Result> = (
  key: string,
  item: Item,
  run: (items: Item[]) => Promise<Result[]>,
) => Promise<Result>;

/**
 * Creates batchers by key; keys do not wait for each other. Items submitted while a batch of their key runs form the
 * next batch.
 *
 * @param maxSize items per batch, at least 1
 */
export function createBatchers<Item, Result>(maxSize: number): BatchedByKey<Item, Result> {
  const keys = new Map<string, { batched: Batched<Item, Result>; pending: number }>();
  return async (key, item, run) => {
    const own = keys.get(key) ?? { batched: createBatcher(run, maxSize), pending: 0 };
    keys.set(key, own);
    own.pending += 1;
    try {
      return await own.batched(item);
    } finally {
      own.pending -= 1;
      if (own.pending === 0) keys.delete(key);
    }
  };
}
