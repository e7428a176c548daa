import { setImmediate as endOfTick } from 'node:timers/promises';

/** Runs work as part of a group. */
export type Grouped = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Groups work without a timer: the work of one tick of the event loop begins together, and further
 * work gathers until the whole group has ended. Batchers inside the work then get large batches.
 * Unlike a batcher, each piece of work keeps its own context and fails alone.
 *
 * @param maxSize pieces of work in a group, at least 1
 */
export function createGroups(maxSize: number): Grouped {
  let waiting: (() => void)[] = [];
  let running = 0;

  async function beginGroup(): Promise<void> {
    // Also the wait counts as running, so that one group begins.
    running = 1;
    await endOfTick();
    const group = waiting.slice(0, maxSize);
    waiting = waiting.slice(maxSize);
    running = group.length;
    for (const begin of group) begin();
  }

  return async (work) => {
    const begun = new Promise<void>((begin) => waiting.push(begin));
    if (running === 0) void beginGroup();
    await begun;
    try {
      return await work();
    } finally {
      running -= 1;
      if (running === 0 && waiting.length > 0) void beginGroup();
    }
  };
}
