import type { AdvisoryData } from '@bomtrail/messages';
import { hasAdvisories } from './cve-records-part';
import { isStarterLabel } from './merge-record';

/**
 * Returns why an edition must not replace the stored records, null when it may. An edition with
 * fewer than half of the stored records counts as damaged.
 *
 * @param counts `found` records in the edition, `stored` records of the same part
 */
export function rejectionReason(counts: { found: number; stored: number }): string | null {
  const { found, stored } = counts;
  if (found === 0) return 'the file has no records';
  if (found * 2 < stored)
    return `the file has ${found} records, fewer than half of the ${stored} stored ones`;
  return null;
}

/**
 * Returns why a full edition is not that of the part, null when it may be: the file of another
 * ecosystem, copied or served under this one's name, would make all its components clean.
 *
 * @param ecosystems those of the records read so far; empty if all are withdrawn or of no known one
 */
export function foreignReason(
  covers: readonly string[],
  ecosystems: ReadonlySet<string>,
): string | null {
  const [expected] = covers;
  if (expected === undefined || covers.length > 1) return null;
  if (ecosystems.size === 0 || ecosystems.has(expected)) return null;
  return `the file has advisories of ${[...ecosystems].sort().join(', ')}, and none of ${expected}`;
}

/** A part of the feed or of the starter set; `fingerprint` is null until it is loaded. */
interface Part {
  label: string;
  covers: readonly string[];
  fingerprint: string | null;
}

/**
 * Overall advisory data: `feed` once every expected ecosystem is loaded or has no starter set. A
 * feed that fails later does not change it.
 */
export function dataOf(allParts: readonly Part[]): AdvisoryData {
  const parts = allParts.filter(hasAdvisories);
  const loaded = parts.filter(({ fingerprint }) => fingerprint !== null);
  if (loaded.length === 0) return 'none';
  const ofFeed = ecosystemsOf(loaded.filter(({ label }) => !isStarterLabel(label)));
  if (ofFeed.size === 0) return 'starter';
  const ofStarter = ecosystemsOf(loaded.filter(({ label }) => isStarterLabel(label)));
  const expected = ecosystemsOf(parts.filter(({ label }) => !isStarterLabel(label)));
  const isBasedOnStarter = [...expected].some((one) => !ofFeed.has(one) && ofStarter.has(one));
  return isBasedOnStarter ? 'starter' : 'feed';
}

/**
 * Returns the starter parts that a load replaces: those of loaded ecosystems, or all when a whole
 * source was loaded without failures.
 */
export function supersededStarters<Starter extends Part>(
  starters: readonly Starter[],
  load: { isWhole: boolean; polled: readonly Part[]; others: readonly Part[] },
): Starter[] {
  const isComplete = load.polled.every(({ fingerprint }) => fingerprint !== null);
  if (load.isWhole && isComplete) return [...starters];
  const loaded = ecosystemsOf(
    [...load.polled, ...load.others].filter(
      ({ label, fingerprint }) => !isStarterLabel(label) && fingerprint !== null,
    ),
  );
  return starters.filter(({ covers }) => covers.every((ecosystem) => loaded.has(ecosystem)));
}

/** Ecosystems covered by the parts. */
export function ecosystemsOf(parts: readonly Pick<Part, 'covers'>[]): Set<string> {
  return new Set(parts.flatMap(({ covers }) => covers));
}
