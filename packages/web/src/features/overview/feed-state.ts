import type { Schemas } from '../../api/client';

type Feed = Schemas['AdvisoryFeed'];
export type FeedState = 'failed' | 'stale' | 'starter' | 'loaded' | 'unloaded';

/** In the order in which feeds are shown: what needs somebody first. */
const states: readonly FeedState[] = ['failed', 'stale', 'starter', 'loaded', 'unloaded'];

const byStatus: Readonly<Record<Feed['data_status'], FeedState>> = {
  feed: 'loaded',
  feed_stale: 'stale',
  starter_data: 'starter',
  feed_not_loaded: 'unloaded',
};

/** A feed whose last update failed has failed, whatever older data it still has. */
export function feedState({
  last_error,
  data_status,
}: Pick<Feed, 'last_error' | 'data_status'>): FeedState {
  return last_error ? 'failed' : byStatus[data_status];
}

/** Failed and old ones first; among equals by name. */
export function worstFirst<T extends Pick<Feed, 'ecosystem' | 'last_error' | 'data_status'>>(
  feeds: readonly T[],
): T[] {
  return [...feeds].sort(
    (one, other) =>
      states.indexOf(feedState(one)) - states.indexOf(feedState(other)) ||
      one.ecosystem.localeCompare(other.ecosystem),
  );
}

/** By name, which feeds failed and which are too old: a feed may be both. */
export function troubledFeeds(
  feeds: readonly Pick<Feed, 'ecosystem' | 'last_error' | 'data_status'>[],
): Record<'failed' | 'stale', string[]> {
  const named = (of: typeof feeds) => of.map(({ ecosystem }) => ecosystem);
  return {
    failed: named(feeds.filter(({ last_error }) => last_error)),
    stale: named(feeds.filter(({ data_status }) => data_status === 'feed_stale')),
  };
}

/** Each feed once, except that one that failed and is old is counted as both. */
export function countFeeds(
  feeds: readonly Pick<Feed, 'last_error' | 'data_status'>[],
): Record<FeedState, number> {
  const counts = { failed: 0, stale: 0, starter: 0, loaded: 0, unloaded: 0 };
  for (const feed of feeds) {
    counts[feedState(feed)] += 1;
    if (feed.last_error && feed.data_status === 'feed_stale') counts.stale += 1;
  }
  return counts;
}
