/** Keeps re-scans from taking all of the machine and the database while uploads are under way. */
export interface UploadsFirst {
  /** An upload is in hand: re-scans go slowly from now on and for a while after it. */
  upload<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Works through re-scans: together while nobody uploads; else some at a time, one group of them in the
   * process, with a rest after each. They never stand still: a rest has an end, whatever is uploaded.
   */
  rescans<Item, Result>(
    items: readonly Item[],
    work: (some: readonly Item[]) => Promise<Result[]>,
  ): Promise<Result[]>;
}

/** How long after an upload the next one is expected: from its document to the reconciler it takes less. */
const expectedMs = 10_000;
/** Lines that are in hand together beside uploads: some tens of milliseconds of the database. */
const servicesAtOnce = 16;
/** A rest is so many times as long as the work before it: re-scans then take a quarter of the time. */
const restFactor = 3;
const longestRestMs = 1_000;

export interface Clock {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

const ownClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export function createUploadsFirst(clock: Clock = ownClock): UploadsFirst {
  let inHand = 0;
  let last = Number.NEGATIVE_INFINITY;
  let before: Promise<unknown> = Promise.resolve();
  const areExpected = (): boolean => inHand > 0 || clock.now() - last < expectedMs;

  /** After those of other messages, and their rests. */
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
