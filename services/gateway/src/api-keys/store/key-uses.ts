import { LRUCache } from 'lru-cache';

/** Minimum time between two writes per key. */
const everyMs = 60_000;
/** Maximum keys with pending uses; older ones are dropped. */
const maxEntries = 10_000;

/** Records uses of keys without a write in the request path. */
export interface KeyUses {
  note(keyId: string): void;
  /** Writes pending uses: the newest per key, at most once per minute. */
  flush(): Promise<void>;
}

/** @param write stores uses; failed ones are retried with the next flush */
export function createKeyUses(
  write: (uses: { keyId: string; at: Date }[]) => Promise<void>,
  now: () => Date,
): KeyUses {
  const uses = new LRUCache<string, { usedAt: Date; writtenAt: number }>({ max: maxEntries });
  return {
    note(keyId) {
      const usedAt = now();
      const before = uses.get(keyId);
      if (before) before.usedAt = usedAt;
      else uses.set(keyId, { usedAt, writtenAt: -Infinity });
    },
    async flush() {
      const at = now().getTime();
      const due = [...uses.entries()].filter(
        ([, { usedAt, writtenAt }]) => usedAt.getTime() > writtenAt && at - writtenAt >= everyMs,
      );
      if (due.length === 0) return;
      await write(due.map(([keyId, { usedAt }]) => ({ keyId, at: usedAt })));
      for (const [, use] of due) use.writtenAt = at;
    },
  };
}
