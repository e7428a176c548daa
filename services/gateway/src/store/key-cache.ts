import { LRUCache } from 'lru-cache';
import type { ApiKeyRecord } from '../domain/api-key';

/** A revocation takes effect within 5 seconds (decisions.md "API keys"). */
const maxAgeMs = 5_000;
/** Bounds the memory that made-up keys can take. */
const maxEntries = 10_000;

/** Finds a key's record; null when there is none. */
export type FindKey = (prefix: string) => Promise<ApiKeyRecord | null>;

/**
 * Remembers records, and that there is none, for as long as a revocation may take. The age counts
 * from before the question, so a slow answer is not believed longer. Requests with the same key
 * share one question. An error is not remembered: without a fresh record it is passed on.
 */
export function createKeyCache(find: FindKey, now: () => number = Date.now): FindKey {
  const cache = new LRUCache<string, { askedAt: number; record: Promise<ApiKeyRecord | null> }>({
    max: maxEntries,
  });
  return async (prefix) => {
    const known = cache.get(prefix);
    if (known && now() - known.askedAt < maxAgeMs) return known.record;
    const asked = { askedAt: now(), record: find(prefix) };
    cache.set(prefix, asked);
    try {
      return await asked.record;
    } catch (error) {
      if (cache.peek(prefix) === asked) cache.delete(prefix);
      throw error;
    }
  };
}
