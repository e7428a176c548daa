import { LRUCache } from 'lru-cache';

/** What a cache holds at one stamp; dropped as a whole when a later stamp is asked for. */
export interface StampedCache<Value extends object> {
  get(stamp: number, key: string): Value | undefined;
  set(stamp: number, key: string, value: Value): void;
}

/**
 * Keeps what was read while the stored advisories stood at one stamp.
 *
 * @param options.maxSize bound of the sum of sizes
 * @param options.sizeOf size of one value, at least 1; 1 each when omitted
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
