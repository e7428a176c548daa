import type { LRUCache } from 'lru-cache';
import type { ClientSession } from 'mongodb';

/** A value with its id. */
export type Entry<Value> = readonly [id: string, value: Value];

/**
 * Creates a reader of values by id that reads only what is not in memory. Values that do not exist are omitted.
 *
 * @param read reads at least one id
 */
export function remembered<Value extends object>(
  memory: LRUCache<string, Value>,
  read: (
    ids: string[],
    session?: ClientSession,
  ) => AsyncIterable<Entry<Value>> | Promise<Iterable<Entry<Value>>>,
): (ids: Iterable<string>, session?: ClientSession) => Promise<Map<string, Value>> {
  return async (ids, session) => {
    const found = new Map<string, Value>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const known = memory.get(id);
      if (known) found.set(id, known);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    for await (const [id, value] of await read(missing, session)) {
      memory.set(id, value);
      found.set(id, value);
    }
    return found;
  };
}
