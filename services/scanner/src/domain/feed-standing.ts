import { isStarterLabel } from './merge-record';

/**
 * On what an answer about an ecosystem stands. `feed_stale`: on feed data that nobody has confirmed
 * for too long; `feed_not_loaded`: on nothing.
 */
export type FeedStanding = 'feed' | 'feed_stale' | 'starter_data' | 'feed_not_loaded';

/** What is looked at of the state of a feed; the times are absent in what older releases stored. */
export interface StandingState {
  parts: readonly {
    label: string;
    covers: readonly string[];
    fingerprint: string | null;
    as_of?: Date | null;
    loaded_at?: Date | null;
  }[];
}

/**
 * On what the answers about an ecosystem stand. Of several parts of the feed that cover it the most
 * current one counts; the starter set counts only where no part of the feed was ever loaded.
 *
 * @param ecosystem OSV's name without suffix
 * @param at `now` in milliseconds since 1970; data are stale when they are older than `staleAfterMs`
 */
export function standingOf(
  ecosystem: string,
  state: StandingState,
  at: { now: number; staleAfterMs: number },
): FeedStanding {
  const loaded = state.parts.filter(
    ({ covers, fingerprint }) => fingerprint !== null && covers.includes(ecosystem),
  );
  const asOf = currentAsOf(loaded).get(ecosystem);
  if (asOf === undefined) return loaded.length > 0 ? 'starter_data' : 'feed_not_loaded';
  return at.now - asOf > at.staleAfterMs ? 'feed_stale' : 'feed';
}

/** Of each ecosystem of which the feed has loaded data, when these were current (ms since 1970). */
export function currentAsOf(parts: StandingState['parts']): Map<string, number> {
  const found = new Map<string, number>();
  for (const part of parts) {
    if (part.fingerprint === null || isStarterLabel(part.label)) continue;
    const asOf = (part.as_of ?? part.loaded_at)?.getTime() ?? 0;
    for (const ecosystem of part.covers)
      found.set(ecosystem, Math.max(found.get(ecosystem) ?? 0, asOf));
  }
  return found;
}
