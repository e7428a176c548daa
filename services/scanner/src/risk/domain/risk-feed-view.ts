import type { RiskFeedView } from '@bomtrail/messages';
import { withoutCredentials } from '../../feeds/domain/feed-view';
import { riskFeeds, type RiskFeed, type RiskFeedState } from './risk-feed-state';

/** A feed as the API shows it; switched off, it has neither source nor values. */
export function riskFeedViews(
  states: Readonly<Record<RiskFeed, RiskFeedState>>,
  at: { now: number; isOn(feed: RiskFeed): boolean },
): RiskFeedView[] {
  return riskFeeds.map((feed) => {
    const { origin, as_of, checked_at, records, revision, error, failed_at } = states[feed];
    return {
      feed,
      enabled: at.isOn(feed),
      source: origin && withoutCredentials(origin),
      last_success_at: checked_at?.toISOString() ?? null,
      as_of: as_of?.toISOString() ?? null,
      age_seconds: as_of ? Math.max(0, Math.floor((at.now - as_of.getTime()) / 1000)) : null,
      records,
      revision: revision || null,
      last_error:
        error === null
          ? null
          : { message: withoutCredentials(error), at: failed_at?.toISOString() ?? null },
    };
  });
}
