import { LRUCache } from 'lru-cache';

/** Cache that is valid for one stamp of the feed state; a newer stamp clears it. */
export interface StampedCache<Value extends object> {
  get(stamp: number, key: string): Value | undefined;
  set(stamp: number, key: string, value: Value): void;
}

/**
 * Creates a cache for values read at one stamp of the feed state.
 *
 * @param options.maxSize bound of the sum of sizes
 * @param options.sizeOf size of one value, at least 1; default 1
 */
export function createStampedCache<Value extends object>(options: {
  maxSize: number;
  sizeOf?: (value: Value) => number;
}): StampedCache<Value> {
  const { maxSize, sizeOf = () => 1 } = options;
  const values = new LRUCache<string, Value>({ maxSize, sizeCalculation: sizeOf });
  let current = 0;

  return {
    get: (stamp, key) => (stamp === current ? values.get(key) : undefined),
    set(stamp, key, value) {
      if (stamp < current) return;
      if (stamp > current) {
        values.clear();
        current = stamp;
      }
      values.set(key, value);
    },
  };
}
