import { ownClock, type Clock } from '@bomtrail/concurrency';

/** Throttles re-scans while uploads are in progress. */
export interface UploadsFirst {
  /** Runs an upload. Re-scans are throttled during it and for a while after it. */
  upload<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Processes re-scans: all together without uploads, otherwise in small groups, one at a time per process,
   * with a pause after each. Pauses are bounded, so re-scans always make progress.
   */
  rescans<Item, Result>(
    items: readonly Item[],
    work: (some: readonly Item[]) => Promise<Result[]>,
  ): Promise<Result[]>;
}

/** How long after an upload another one is expected. */
const expectedMs = 10_000;
/** Services per group: a few tens of milliseconds of database time. */
const servicesAtOnce = 16;
/** A pause takes this many times as long as the work before it: re-scans then take a quarter of the time. */
const restFactor = 3;
const longestRestMs = 1_000;

export function createUploadsFirst(clock: Clock = ownClock): UploadsFirst {
  let inHand = 0;
  let last = Number.NEGATIVE_INFINITY;
  let before: Promise<unknown> = Promise.resolve();
  const areExpected = (): boolean => inHand > 0 || clock.now() - last < expectedMs;

  /** Runs after the groups and pauses of other messages. */
  function oneByOne<Result>(work: () => Promise<Result>): Promise<Result> {
    const begun = before.then(async () => {
      const begin = clock.now();
      return { result: await work(), begin };
    });
    before = begun
      .then(({ begin }) => begin)
      .catch(() => clock.now())
      .then(async (begin) => {
        const rest = Math.min(longestRestMs, restFactor * (clock.now() - begin));
        if (areExpected()) await clock.sleep(rest);
      });
    return begun.then(({ result }) => result);
  }

  return {
    async upload(work) {
      inHand += 1;
      try {
        return await work();
      } finally {
        inHand -= 1;
        last = clock.now();
      }
    },
    async rescans(items, work) {
      const results = [];
      for (let from = 0; from < items.length;) {
        const isSlow = areExpected();
        const some = items.slice(from, isSlow ? from + servicesAtOnce : undefined);
        results.push(...(await (isSlow ? oneByOne(() => work(some)) : work(some))));
        from += some.length;
      }
      return results;
    },
  };
}
