import { LRUCache } from 'lru-cache';
import type { ScanResult, ScanQuery, ScanReader } from '../use-cases/read-scans';

/** A quarter of the usual time for which details stay that no row shows. */
const usualMemoryMs = 15 * 60_000;
/** Some hundred bytes each. */
const maxObservations = 50_000;

export type ScanCache = ReturnType<typeof createScanCache>;

/**
 * The scans that lines share: thousands of them hold the same few component sets, and most uploads bring
 * one that is known. What is kept is given only to those who ask for a revision that it is right for.
 *
 * @param read asks the scanner, for what is right now
 * @param memoryMs how long a scan is kept: the details that it refers to stay much longer at least
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
    /** A scan that is right for the revision; one that is not yet is what the scanner says now. */
    async readAt(query: ScanQuery, revision: number): Promise<ScanResult> {
      const key = keyOf(query);
      for (;;) {
        const known = cached.get(key);
        if (known && known.revision >= revision) return known;
        const others = inProgress.get(key);
        if (!others) return readAndCache(key, query);
        // They may have begun before the revision came into force: then it is read once more.
        const scan = await others.catch(() => null);
        if (scan && scan.revision >= revision) return scan;
      }
    },

    /** What the scanner says now, whatever is kept. */
    readNow: read,
  };
}

function keyOf({ digest, packages }: ScanQuery): string {
  return packages ? `${digest} ${packages.join('\n')}` : digest;
}
