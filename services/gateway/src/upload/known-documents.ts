import { LRUCache } from 'lru-cache';

/** About a megabyte. */
const maxEntries = 10_000;

/** Documents that ingest took lately, by SHA-256: a guess that one comes again need not be sent again. */
export interface KnownDocuments {
  has(sha256: string): boolean;
  add(sha256: string): void;
  /** The guess was wrong. */
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
