import { LRUCache } from 'lru-cache';
import type { ScanResult, ScanQuery, ScanReader } from './read-scans';

/** A quarter of the default grace period of unused details. */
const usualMemoryMs = 15 * 60_000;
/** A few hundred bytes each. */
const maxObservations = 50_000;

export type ScanCache = ReturnType<typeof createScanCache>;

/**
 * Caches scan results: thousands of services contain the same few component sets, and most uploads bring a
 * known one. A caller gets a cached result only if it is right for the revision that the caller needs.
 *
 * @param read reads the scanner's current findings
 * @param memoryMs lifetime of a cached scan; must be well below the grace period of the details that it
 *   refers to
 */
export function createScanCache(read: ScanReader, memoryMs: number = usualMemoryMs) {
  const cached = new LRUCache<string, ScanResult>({
    ttl: memoryMs,
    maxSize: maxObservations,
    sizeCalculation: ({ observations }) => observations.length + 1,
  });
  const inProgress = new Map<string, Promise<ScanResult>>();

  async function readAndCache(key: string, query: ScanQuery): Promise<ScanResult> {
    const reading = read(query);
    inProgress.set(key, reading);
    try {
      const scan = await reading;
      cached.set(key, scan);
      return scan;
    } finally {
      if (inProgress.get(key) === reading) inProgress.delete(key);
    }
  }

  return {
    /** Gives a scan of at least this revision, or else the scanner's current findings. */
    async readAt(query: ScanQuery, revision: number): Promise<ScanResult> {
      const key = keyOf(query);
      for (;;) {
        const known = cached.get(key);
        if (known && known.revision >= revision) return known;
        const others = inProgress.get(key);
        if (!others) return readAndCache(key, query);
        // A read that began before the revision came into force does not count.
        const scan = await others.catch(() => null);
        if (scan && scan.revision >= revision) return scan;
      }
    },

    /** Reads the scanner's current findings, bypassing the cache. */
    readNow: read,
  };
}

function keyOf({ digest, packages }: ScanQuery): string {
  return packages ? `${digest} ${packages.join('\n')}` : digest;
}
