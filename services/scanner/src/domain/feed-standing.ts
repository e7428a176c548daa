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
  const ofFeed = loaded.filter(({ label }) => !isStarterLabel(label));
  if (ofFeed.length === 0) return loaded.length > 0 ? 'starter_data' : 'feed_not_loaded';
  const asOf = Math.max(...ofFeed.map((part) => (part.as_of ?? part.loaded_at)?.getTime() ?? 0));
  return at.now - asOf > at.staleAfterMs ? 'feed_stale' : 'feed';
}
