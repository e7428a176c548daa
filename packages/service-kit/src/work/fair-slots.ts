/** Runs work in a limited number of slots. Where more waits than there are slots, keys get the next free one in turns. */
export type FairSlots = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Within one key the order of arrival stays. Whoever has a single piece of work waits for one slot, and for
 * one piece of each other key at most, however much others have brought before.
 *
 * @param slots pieces of work at once, at least 1
 */
export function createFairSlots(slots: number): FairSlots {
  let free = slots;
  /** By key, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();

  function slotFor(key: string): Promise<void> {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((begin) => {
      const others = waiting.get(key);
      if (others) others.push(begin);
      else waiting.set(key, [begin]);
    });
  }

  function handOn(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    const [key, [begin, ...others]] = next;
    waiting.delete(key);
    if (others.length > 0) waiting.set(key, others);
    begin?.();
  }

  return async (key, work) => {
    await slotFor(key);
    try {
      return await work();
    } finally {
      handOn();
    }
  };
}
