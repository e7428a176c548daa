/** Runs a bounded number of tasks concurrently; the others wait in order. */
export type InSlot = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** @param count at least 1 */
export function createSlots(count: number): InSlot {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
