import { createShortMemory, type ShortMemory } from '../memory/short-memory';

/** A component set as it is kept and sent: a gzip'd JSON array. */
export interface PackedSet {
  count: number;
  bytes: Uint8Array;
}

/** Component sets by their digest, for the moment in which the scanner asks for one that is new. */
export type FreshSets = ShortMemory<PackedSet>;

const maxSize = 16 * 1024 * 1024;
/** What a set of few components takes besides its bytes. */
const overhead = 256;
const maxAgeMs = 5_000;

/**
 * Remembers sets for seconds, and for less than condemned content stays: what is read here is kept.
 */
export function createFreshSets(graceMs: number): FreshSets {
  return createShortMemory({
    maxAgeMs: Math.min(maxAgeMs, graceMs / 4),
    maxSize,
    sizeOf: ({ bytes }) => bytes.byteLength + overhead,
  });
}
