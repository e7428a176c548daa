import type { Dependency } from '@bomtrail/sbom-formats';
import { LRUCache } from 'lru-cache';

/** A component set as it is kept and sent: a gzip'd JSON array. */
export interface PackedSet {
  count: number;
  roots: readonly Dependency[];
  bytes: Uint8Array;
}

/** Component sets by their digest, for the moment in which the scanner asks for one that is new. */
export type FreshSets = Pick<LRUCache<string, PackedSet>, 'get' | 'set' | 'delete'>;

const maxSize = 16 * 1024 * 1024;
/** What a set of few components takes besides its bytes. */
const overhead = 256;
const maxAgeMs = 5_000;

/**
 * Remembers sets for seconds, and for less than condemned content stays: what is read here is kept.
 */
export function createFreshSets(graceMs: number): FreshSets {
  return new LRUCache<string, PackedSet>({
    ttl: Math.min(maxAgeMs, graceMs / 4),
    maxSize,
    sizeCalculation: ({ bytes }) => bytes.byteLength + overhead,
  });
}
