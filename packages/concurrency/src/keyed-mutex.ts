/**
 * Runs work of the same key one after the other; different keys do not wait for each other. `hasWaited` is true if
 * other work of the key ran before, which may have changed the state.
 */
export type KeyedMutex = <Result>(
  key: string,
  work: (hasWaited: boolean) => Promise<Result>,
) => Promise<Result>;

/**
 * Creates a mutex by key within this process. It avoids write conflicts on one document; conditional writes protect
 * against other processes.
 */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const result = (before ?? Promise.resolve()).then(() => work(before !== undefined));
    const finished = result.catch(() => undefined);
    last.set(key, finished);
    try {
      return await result;
    } finally {
      if (last.get(key) === finished) last.delete(key);
    }
  };
}
