/** Runs work in a limited number of slots; keys take turns in getting a free slot. */
export type FairSlots = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates round-robin slots. Within a key, work runs in order of arrival; a single piece of work waits for at most
 * one piece of each other key.
 *
 * @param slots number of slots, at least 1
 */
export function createFairSlots(slots: number): FairSlots {
  let free = slots;
  /** Waiting work by key, in round-robin order. */
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

  function releaseSlot(): void {
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
      releaseSlot();
    }
  };
}
