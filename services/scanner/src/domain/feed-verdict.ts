import type { AdvisoryData } from '@bomtrail/messages';
import { isStarterLabel } from './merge-record';

/**
 * Why a part of a feed must not replace what is held, null when it may. A new file that has fewer
 * than half of the records held is taken for a broken one: it never empties a result.
 *
 * @param counts `found` records in the new file, `stored` records of the same part
 */
export function rejectionReason(counts: { found: number; stored: number }): string | null {
  const { found, stored } = counts;
  if (found === 0) return 'the file holds no records';
  if (found * 2 < stored)
    return `the file holds ${found} records, fewer than half of the ${stored} that are held`;
  return null;
}

/** A part of a feed or of the starter set; one without a fingerprint was never loaded. */
interface Part {
  label: string;
  covers: readonly string[];
  fingerprint: string | null;
}

/**
 * On what the answers stand as a whole: on the feed once every ecosystem that it was looked at for is
 * loaded, or has nothing else to stand on. A feed that fails later keeps its data and this word.
 */
export function dataOf(parts: readonly Part[]): AdvisoryData {
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
 * The parts of the starter set that a load makes superfluous: those of ecosystems that the feed has
 * loaded; all of them when the feed is one that is taken whole, and nothing of it failed.
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

/** Ecosystems that the parts cover. */
export function ecosystemsOf(parts: readonly Pick<Part, 'covers'>[]): Set<string> {
  return new Set(parts.flatMap(({ covers }) => covers));
}
