import { setImmediate as endOfTurn } from 'node:timers/promises';
import { currentContext, type WorkContext } from '../log/context';
import { forAllOf } from '../traces/together';

/** Hands one item in and gets its own result, while the work is done for many at once. */
export type Batched<Item, Result> = (item: Item) => Promise<Result>;

/**
 * Groups calls without waiting for any clock: what comes in one turn of the event loop goes together,
 * and while one batch is at work the next one gathers. A lone call goes at once, and a busy service
 * writes many in one round trip.
 *
 * @param run gives one result per item, in the order of the items; a rejection is everyone's
 * @param maxSize items in one batch, at least 1
 * @param choose which of those that wait go next, at least one, told apart by identity; absent: the first ones
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
  let gathering: Waiting[] = [];
  let atWork = false;

  function takeBatch(): Waiting[] {
    const waiting = gathering;
    if (!choose) {
      gathering = waiting.slice(maxSize);
      return waiting.slice(0, maxSize);
    }
    const chosen = new Set(choose(waiting.map(({ item }) => item)).slice(0, maxSize));
    gathering = waiting.filter(({ item }) => !chosen.has(item));
    return waiting.filter(({ item }) => chosen.has(item));
  }

  async function drain(): Promise<void> {
    atWork = true;
    // Messages that one read of a socket brought are handed in one after the other.
    await endOfTurn();
    while (gathering.length > 0) {
      const batch = takeBatch();
      try {
        const results = await forAllOf(
          batch.map(({ context }) => context),
          () => run(batch.map(({ item }) => item)),
        );
        batch.forEach((waiting, index) => waiting.resolve(results[index] as Result));
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    atWork = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      gathering.push({ item, context: currentContext(), resolve, reject });
      if (!atWork) void drain();
    });
}
