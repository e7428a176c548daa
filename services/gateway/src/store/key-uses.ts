import { LRUCache } from 'lru-cache';

/** A key's uses are written at most once in this time. */
const everyMs = 60_000;
/** More keys than that are not used within a minute; their older uses would go unnoted. */
const maxEntries = 10_000;

/** Notes when keys are used, without a write on the way of a request. */
export interface KeyUses {
  note(keyId: string): void;
  /** Writes what is due: of each key the newest use, not oftener than once a minute. */
  flush(): Promise<void>;
}

/** @param write stores uses; what fails is handed in again with the next flush */
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
