import type { Dependency } from '@bomtrail/sbom-formats';
import { LRUCache } from 'lru-cache';

/** A component set as stored and sent: a gzip'd JSON array. */
export interface PackedSet {
  count: number;
  roots: readonly Dependency[];
  bytes: Uint8Array;
}

/** New component sets by digest; the scanner requests them right after the upload. */
export type FreshSets = Pick<LRUCache<string, PackedSet>, 'get' | 'set' | 'delete'>;

const maxSize = 16 * 1024 * 1024;
/** Memory of a set besides its bytes. */
const overhead = 256;
const maxAgeMs = 5_000;

/** Creates a cache that keeps sets for seconds, and shorter than marked content stays. */
export function createFreshSets(graceMs: number): FreshSets {
  return new LRUCache<string, PackedSet>({
    ttl: Math.min(maxAgeMs, graceMs / 4),
    maxSize,
    sizeCalculation: ({ bytes }) => bytes.byteLength + overhead,
  });
}
