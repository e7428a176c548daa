import { createBatcher } from '@bomtrail/service-kit';
import { LRUCache } from 'lru-cache';
import type { ApiKeyRecord } from '../domain/api-key';

/** A revocation takes effect within 5 seconds (docs/rules.md AK2). */
const maxAgeMs = 5_000;
/** A key that was used within this time is kept fresh: its next use waits for nothing. */
const keptFreshMs = 60_000;
/** Bounds the memory of keys in use and, apart from them, of made-up ones. */
const maxEntries = 10_000;
/** Keys that are not at hand cost at most 20 reads a second, however many are made up. */
const readEveryMs = 50;
/** Keys in one read: more than come within 50 milliseconds. */
const keysPerRead = 1_000;

/** Finds a key's record; null when there is none. */
export type FindKey = (prefix: string) => Promise<ApiKeyRecord | null>;

export interface KeyCache {
  find: FindKey;
  /** Reads the keys that were used lately anew, all in one read. To be called more often than every 5 seconds. */
  refresh(): Promise<void>;
  /** This key is no more: believe nothing that was read before now. */
  forget(prefix: string): void;
}

export interface KeyCacheOptions {
  /** Milliseconds on a clock that never goes back. */
  now?: () => number;
  pause?: (ms: number) => Promise<unknown>;
}

interface Known {
  askedAt: number;
  usedAt: number;
  record: ApiKeyRecord;
}

/**
 * Remembers records, and that there is none, for less than 5 seconds. The age counts from before the
 * question, so a slow answer is not believed longer. Keys that are not at hand are asked for together.
 * An error is not remembered: without a fresh record it is passed on.
 *
 * @param read gives the records of those prefixes that exist
 */
export function createKeyCache(
  read: (prefixes: readonly string[]) => Promise<ApiKeyRecord[]>,
  options: KeyCacheOptions = {},
): KeyCache {
  const { now = () => performance.now(), pause = wait } = options;
  const known = new LRUCache<string, Known>({ max: maxEntries });
  /** When a prefix was asked for without being found. */
  const unknown = new LRUCache<string, number>({ max: maxEntries });
  const asking = new Map<string, Promise<ApiKeyRecord | null>>();
  let lastReadAt = -Infinity;

  function remember(prefix: string, record: ApiKeyRecord | null, askedAt: number): void {
    const before = known.peek(prefix);
    if (Math.max(before?.askedAt ?? 0, unknown.peek(prefix) ?? 0) > askedAt) return;
    if (record) {
      known.set(prefix, { askedAt, usedAt: before?.usedAt ?? now(), record });
      unknown.delete(prefix);
    } else {
      known.delete(prefix);
      unknown.set(prefix, askedAt);
    }
  }

  async function readAll(prefixes: readonly string[]): Promise<Map<string, ApiKeyRecord>> {
    const askedAt = now();
    const records = new Map((await read(prefixes)).map((record) => [record.prefix, record]));
    for (const prefix of prefixes) remember(prefix, records.get(prefix) ?? null, askedAt);
    return records;
  }

  const ask = createBatcher<string, ApiKeyRecord | null>(async (prefixes) => {
    await pause(Math.max(0, lastReadAt + readEveryMs - now()));
    lastReadAt = now();
    const records = await readAll(prefixes);
    return prefixes.map((prefix) => records.get(prefix) ?? null);
  }, keysPerRead);

  function askOnce(prefix: string): Promise<ApiKeyRecord | null> {
    const asked = ask(prefix).finally(() => asking.delete(prefix));
    asking.set(prefix, asked);
    return asked;
  }

  function isFresh(askedAt: number | undefined): boolean {
    return askedAt !== undefined && now() - askedAt < maxAgeMs;
  }

  return {
    async find(prefix) {
      const entry = known.get(prefix);
      if (entry && isFresh(entry.askedAt)) {
        entry.usedAt = now();
        return entry.record;
      }
      if (isFresh(unknown.get(prefix))) return null;
      return asking.get(prefix) ?? askOnce(prefix);
    },

    async refresh() {
      const lately = now() - keptFreshMs;
      for (const [prefix, { usedAt }] of [...known.entries()]) {
        if (usedAt < lately) known.delete(prefix);
      }
      if (known.size > 0) await readAll([...known.keys()]);
    },

    forget(prefix) {
      remember(prefix, null, now());
    },
  };
}

function wait(ms: number): Promise<unknown> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
