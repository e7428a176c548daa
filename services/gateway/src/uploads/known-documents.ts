import { LRUCache } from 'lru-cache';

/** About a megabyte. */
const maxEntries = 10_000;

/**
 * Documents that ingest stored recently, by SHA-256: a hint that the bytes need not be sent again.
 */
export interface KnownDocuments {
  has(sha256: string): boolean;
  add(sha256: string): void;
  /** Removes a wrong hint. */
  delete(sha256: string): void;
}

export function createKnownDocuments(): KnownDocuments {
  const known = new LRUCache<string, true>({ max: maxEntries });
  return {
    has: (sha256) => known.has(sha256),
    add: (sha256) => void known.set(sha256, true),
    delete: (sha256) => void known.delete(sha256),
  };
}
