import { isCoveredRelease } from '@bomtrail/osv';
import { isStarterLabel } from './merge-record';

/** Advisory data used for an ecosystem: current feed, stale feed, starter set, or none. */
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
 * Returns the data status of an ecosystem. The most current feed part that covers it counts; the
 * starter set counts only when no feed part was loaded. A release of a distribution is
 * `feed_not_loaded` when no loaded advisory names it.
 *
 * @param release OSV ecosystem, for distributions optionally with the release (`Debian:12`)
 * @param at `now` in ms since 1970; data older than `staleAfterMs` is stale
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

/** Time (ms since 1970) of the feed data of each ecosystem that has any. */
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
