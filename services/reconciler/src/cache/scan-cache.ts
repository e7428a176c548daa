import { LRUCache } from 'lru-cache';
import type { Observation } from '../domain/types';

/** What the scanner says of a component set, with the details that rows refer to already stored. */
export interface KeptScan {
  observations: readonly Observation[];
  /** The advisory revision that it is right for. */
  revision: number;
  /** What it says of some packages. */
  ofPackages(packages: readonly string[]): readonly Observation[];
}

/** A scan whose observations are looked up by package from the first such question on. */
export function keptScan(observations: readonly Observation[], revision: number): KeptScan {
  let byPackage: Map<string, Observation[]> | undefined;
  return {
    observations,
    revision,
    ofPackages(packages) {
      byPackage ??= groupByPackage(observations);
      return packages.flatMap((one) => byPackage?.get(one) ?? []);
    },
  };
}

function groupByPackage(observations: readonly Observation[]): Map<string, Observation[]> {
  const groups = new Map<string, Observation[]>();
  for (const observation of observations) {
    const group = groups.get(observation.package_key);
    if (group) group.push(observation);
    else groups.set(observation.package_key, [observation]);
  }
  return groups;
}

/** A quarter of the usual time for which details stay that no row shows. */
const usualMemoryMs = 15 * 60_000;
/** Some hundred bytes each. */
const maxObservations = 50_000;

export type ScanCache = ReturnType<typeof createScanCache>;

/**
 * The scans that the re-scans of one advisory change share: thousands of lines hold the same few
 * component sets. What is kept is given only to those who ask for a revision that it is right for;
 * what an upload reads is never taken from here, because it must not miss a later change.
 *
 * @param read asks the scanner, for what is right now
 * @param memoryMs how long a scan is kept: the details that it refers to stay much longer at least
 */
export function createScanCache(
  read: (digest: string) => Promise<KeptScan>,
  memoryMs: number = usualMemoryMs,
) {
  const kept = new LRUCache<string, KeptScan>({
    ttl: memoryMs,
    maxSize: maxObservations,
    sizeCalculation: ({ observations }) => observations.length + 1,
  });
  const underWay = new Map<string, Promise<KeptScan>>();

  async function readAndKeep(digest: string): Promise<KeptScan> {
    const reading = read(digest);
    underWay.set(digest, reading);
    try {
      const scan = await reading;
      kept.set(digest, scan);
      return scan;
    } finally {
      if (underWay.get(digest) === reading) underWay.delete(digest);
    }
  }

  return {
    /** A scan that is right for the revision; one that is not yet is what the scanner says now. */
    async readAt(digest: string, revision: number): Promise<KeptScan> {
      for (;;) {
        const known = kept.get(digest);
        if (known && known.revision >= revision) return known;
        const others = underWay.get(digest);
        if (!others) return readAndKeep(digest);
        // They may have begun before the revision came into force: then it is read once more.
        const scan = await others.catch(() => null);
        if (scan && scan.revision >= revision) return scan;
      }
    },
  };
}
