import { isCoveredRelease } from '@bomtrail/osv';
import { isStarterLabel } from './merge-record';

/**
 * On what an answer about an ecosystem stands. `feed_stale`: on feed data that nobody has confirmed
 * for too long; `feed_not_loaded`: on nothing.
 */
export type FeedDataStatus = 'feed' | 'feed_stale' | 'starter_data' | 'feed_not_loaded';

/** The fields of the feed state that the data status is derived from. */
export interface DataStatusState {
  parts: readonly {
    label: string;
    covers: readonly string[];
    fingerprint: string | null;
    as_of: Date | null;
    releases?: readonly string[];
  }[];
}

/**
 * On what the answers about an ecosystem stand. Of several parts of the feed that cover it the most
 * current one counts; the starter set counts only where no part of the feed was ever loaded. A
 * release of a distribution stands on nothing where no advisory of a loaded part speaks of it.
 *
 * @param release OSV's name of an ecosystem; of a distribution also with the release (`Debian:12`)
 * @param at `now` in milliseconds since 1970; data are stale when they are older than `staleAfterMs`
 */
export function dataStatusOf(
  release: string,
  state: DataStatusState,
  at: { now: number; staleAfterMs: number },
): FeedDataStatus {
  const [ecosystem = ''] = release.split(':', 1);
  const loaded = state.parts.filter(
    ({ covers, fingerprint, releases }) =>
      fingerprint !== null &&
      covers.includes(ecosystem) &&
      (releases === undefined || isCoveredRelease(release, releases)),
  );
  const asOf = currentAsOf(loaded).get(ecosystem);
  if (asOf === undefined) return loaded.length > 0 ? 'starter_data' : 'feed_not_loaded';
  return at.now - asOf > at.staleAfterMs ? 'feed_stale' : 'feed';
}

/** Of each ecosystem of which the feed has loaded data, when these were current (ms since 1970). */
export function currentAsOf(parts: DataStatusState['parts']): Map<string, number> {
  const found = new Map<string, number>();
  for (const part of parts) {
    if (part.fingerprint === null || isStarterLabel(part.label)) continue;
    const asOf = part.as_of?.getTime() ?? 0;
    for (const ecosystem of part.covers)
      found.set(ecosystem, Math.max(found.get(ecosystem) ?? 0, asOf));
  }
  return found;
}
