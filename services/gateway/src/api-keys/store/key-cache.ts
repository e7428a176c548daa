import { createBatcher } from '@bomtrail/concurrency';
import { LRUCache } from 'lru-cache';
import type { ApiKeyRecord } from '../domain/api-key';

/** A revocation takes effect within 5 seconds (docs/rules.md AK2). */
const maxAgeMs = 5_000;
/** Keys used within this time are refreshed, so that their next use does not wait. */
const refreshedForMs = 60_000;
/** Separate memory bounds for used and for unknown keys. */
const maxEntries = 10_000;
/** Uncached keys cost at most 20 reads per second in total. */
const readEveryMs = 50;
/** Keys per read: more than arrive within 50 milliseconds. */
const keysPerRead = 1_000;

/** The record of a key; null if unknown. */
export type FindKey = KeyCache['find'];

/** Records by what names them: the prefix of a key, the hash of a session. */
export interface KeyCache<Cached extends { prefix: string } = ApiKeyRecord> {
  /** null: unknown. */
  find(prefix: string): Promise<Cached | null>;
  /** Re-reads recently used keys in one read. Call it more often than every 5 seconds. */
  refresh(): Promise<void>;
  /** Stores a record that was just written: earlier reads no longer count. */
  put(record: Cached): void;
  /** Invalidates a key: earlier reads no longer count. */
  invalidate(prefix: string): void;
}

export interface KeyCacheOptions {
  /** Monotonic clock in milliseconds. */
  now?: () => number;
  pause?: (ms: number) => Promise<unknown>;
}

interface Known<Cached> {
  requestedAt: number;
  usedAt: number;
  record: Cached;
}

/**
 * Caches records and misses for less than 5 seconds, counted from before the read, so that slow
 * responses are not trusted longer. Uncached keys are read in batches. Errors are not cached:
 * without a fresh record they are thrown.
 *
 * @param read returns the records of the existing prefixes
 */
export function createKeyCache<Cached extends { prefix: string } = ApiKeyRecord>(
  read: (prefixes: readonly string[]) => Promise<Cached[]>,
  options: KeyCacheOptions = {},
): KeyCache<Cached> {
  const { now = () => performance.now(), pause = wait } = options;
  const known = new LRUCache<string, Known<Cached>>({ max: maxEntries });
  /** Time of the last miss of a prefix. */
  const unknown = new LRUCache<string, number>({ max: maxEntries });
  const asking = new Map<string, Promise<Cached | null>>();
  let lastReadAt = -Infinity;

  function remember(prefix: string, record: Cached | null, requestedAt: number): void {
    const before = known.peek(prefix);
    if (Math.max(before?.requestedAt ?? 0, unknown.peek(prefix) ?? 0) > requestedAt) return;
    if (record) {
      known.set(prefix, { requestedAt, usedAt: before?.usedAt ?? now(), record });
      unknown.delete(prefix);
    } else {
      known.delete(prefix);
      unknown.set(prefix, requestedAt);
    }
  }

  async function readAll(prefixes: readonly string[]): Promise<Map<string, Cached>> {
    const requestedAt = now();
    const records = new Map((await read(prefixes)).map((record) => [record.prefix, record]));
    for (const prefix of prefixes) remember(prefix, records.get(prefix) ?? null, requestedAt);
    return records;
  }

  const ask = createBatcher<string, Cached | null>(async (prefixes) => {
    await pause(Math.max(0, lastReadAt + readEveryMs - now()));
    lastReadAt = now();
    const records = await readAll(prefixes);
    return prefixes.map((prefix) => records.get(prefix) ?? null);
  }, keysPerRead);

  function askOnce(prefix: string): Promise<Cached | null> {
    const requested = ask(prefix).finally(() => asking.delete(prefix));
    asking.set(prefix, requested);
    return requested;
  }

  function isFresh(requestedAt: number | undefined): boolean {
    return requestedAt !== undefined && now() - requestedAt < maxAgeMs;
  }

  return {
    async find(prefix) {
      const entry = known.get(prefix);
      if (entry && isFresh(entry.requestedAt)) {
        entry.usedAt = now();
        return entry.record;
      }
      if (isFresh(unknown.get(prefix))) return null;
      return asking.get(prefix) ?? askOnce(prefix);
    },

    async refresh() {
      const lately = now() - refreshedForMs;
      for (const [prefix, { usedAt }] of [...known.entries()]) {
        if (usedAt < lately) known.delete(prefix);
      }
      if (known.size > 0) await readAll([...known.keys()]);
    },

    put(record) {
      remember(record.prefix, record, now());
    },

    invalidate(prefix) {
      remember(prefix, null, now());
    },
  };
}

function wait(ms: number): Promise<unknown> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
