/**
 * Runs pieces of work under one key one after the other; different keys do not wait for each other. `work`
 * is told whether it had to wait: then the one before it may have done what it is about.
 */
export type KeyedMutex = <Result>(
  key: string,
  work: (hasWaited: boolean) => Promise<Result>,
) => Promise<Result>;

/**
 * Within one process, work that would only fight over the same document takes turns. It is no lock:
 * other processes are held off by the conditions on their writes.
 */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = (before ?? Promise.resolve()).then(() => work(before !== undefined));
    const finished = mine.catch(() => undefined);
    last.set(key, finished);
    try {
      return await mine;
    } finally {
      if (last.get(key) === finished) last.delete(key);
    }
  };
}
