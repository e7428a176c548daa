import type { AdvisoryData, FeedView, RiskFeedView } from '@bomtrail/messages';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import type { DataStatusLookup } from './domain/coverage';
import { feedViews } from '../feeds/domain/feed-view';
import { isApplied, type FeedState } from '../feeds/domain/feed-state';
import type { FeedStateStore } from '../feeds/store/feed-state-store';
import { riskFeedViews } from '../risk/domain/risk-feed-view';
import type { RiskDeps } from '../risk/list-risk-changes';
import type { RiskSource } from '../risk/sources/open-risk-file';

export interface DataStatusDeps {
  feed: FeedStateStore;
  /** Returns the data status of each ecosystem by the state of the feeds. */
  dataStatusIn(state: FeedState): DataStatusLookup;
}

export interface ReadFeedsDeps extends DataStatusDeps, RiskDeps {
  riskSources: readonly RiskSource[];
}

/**
 * Returns the state of the advisory data by ecosystem, and whether it is applied to all results.
 */
export async function readFeeds(deps: ReadFeedsDeps): Promise<{
  advisory_data: AdvisoryData;
  revision: number;
  applied: boolean;
  feeds: FeedView[];
  risk_feeds: RiskFeedView[];
}> {
  const [state, risk] = await Promise.all([deps.feed.read(), deps.riskStates.read()]);
  const now = Date.now();
  return {
    advisory_data: state.data,
    revision: state.revision,
    applied: isApplied(state),
    feeds: feedViews(MATCHED_ECOSYSTEMS, state.parts, {
      dataStatus: deps.dataStatusIn(state),
      now,
    }),
    risk_feeds: riskFeedViews(risk, {
      now,
      isOn: (feed) => deps.riskSources.some((source) => source.feed === feed),
    }),
  };
}
