/** Values by key, each for a short time. */
export interface ShortMemory<Value> {
  /** The value, unless it is too old or had to give way. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export interface ShortMemoryOptions<Value> {
  /** Milliseconds from the last `set` on. */
  maxAgeMs: number;
  /** Sum of the sizes of all values; the oldest give way. */
  maxSize: number;
  /** 1 for each where it is left out. */
  sizeOf?: (value: Value) => number;
  now?: () => number;
}

/** Keeps values in the order in which they were set, which is the order in which they grow too old. */
export function createShortMemory<Value>(options: ShortMemoryOptions<Value>): ShortMemory<Value> {
  const { maxAgeMs, maxSize, sizeOf = () => 1, now = () => performance.now() } = options;
  const entries = new Map<string, { value: Value; size: number; setAt: number }>();
  let total = 0;

  function forget(key: string): void {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  function isOld({ setAt }: { setAt: number }): boolean {
    return now() - setAt >= maxAgeMs;
  }

  return {
    get(key) {
      const found = entries.get(key);
      return found && !isOld(found) ? found.value : undefined;
    },
    set(key, value) {
      forget(key);
      const entry = { value, size: sizeOf(value), setAt: now() };
      entries.set(key, entry);
      total += entry.size;
      for (const [oldest, one] of entries) {
        if (total <= maxSize && !isOld(one)) break;
        forget(oldest);
      }
    },
    delete: forget,
  };
}
