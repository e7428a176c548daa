import { setImmediate as endOfTick } from 'node:timers/promises';
import { currentContext, type WorkContext } from '@bomtrail/telemetry';
import { inSharedSpan } from '@bomtrail/telemetry';

/** Submits an item to a batch and resolves to its own result. */
export type Batched<Item, Result> = (item: Item) => Promise<Result>;

/**
 * Batches calls without a timer: calls of one tick of the event loop form a batch, and further calls gather while it
 * runs.
 *
 * @param run returns one result per item, in order; a rejection rejects all items of the batch
 * @param maxSize items per batch, at least 1
 * @param choose selects at least one waiting item, by identity, for the next batch; absent: the first ones
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  maxSize: number,
  choose?: (waiting: readonly Item[]) => readonly Item[],
): Batched<Item, Result> {
  interface Waiting {
    item: Item;
    context: WorkContext | undefined;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  let queue: Waiting[] = [];
  let isRunning = false;

  function takeBatch(): Waiting[] {
    const waiting = queue;
    if (!choose) {
      queue = waiting.slice(maxSize);
      return waiting.slice(0, maxSize);
    }
    const chosen = new Set(choose(waiting.map(({ item }) => item)).slice(0, maxSize));
    queue = waiting.filter(({ item }) => !chosen.has(item));
    return waiting.filter(({ item }) => chosen.has(item));
  }

  async function drain(): Promise<void> {
    isRunning = true;
    // Messages of one socket read are submitted one after the other.
    await endOfTick();
    while (queue.length > 0) {
      const batch = takeBatch();
      try {
        const results = await inSharedSpan(
          batch.map(({ context }) => context),
          () => run(batch.map(({ item }) => item)),
        );
        batch.forEach((waiting, index) => waiting.resolve(results[index] as Result));
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, context: currentContext(), resolve, reject });
      if (!isRunning) void drain();
    });
}
