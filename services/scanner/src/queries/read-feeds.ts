import type { AdvisoryData, FeedView } from '@bomtrail/messages';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import type { DataStatusLookup } from './domain/coverage';
import { feedViews } from '../feeds/domain/feed-view';
import { isApplied, type FeedState } from '../feeds/domain/feed-state';
import type { FeedStateStore } from '../feeds/store/feed-state-store';

export interface DataStatusDeps {
  feed: FeedStateStore;
  /** Returns the data status of each ecosystem by the state of the feeds. */
  dataStatusIn(state: FeedState): DataStatusLookup;
}

/**
 * Returns the state of the advisory data by ecosystem, and whether it is applied to all results.
 */
export async function readFeeds(deps: DataStatusDeps): Promise<{
  advisory_data: AdvisoryData;
  revision: number;
  applied: boolean;
  feeds: FeedView[];
}> {
  const state = await deps.feed.read();
  return {
    advisory_data: state.data,
    revision: state.revision,
    applied: isApplied(state),
    feeds: feedViews(MATCHED_ECOSYSTEMS, state.parts, {
      dataStatus: deps.dataStatusIn(state),
      now: Date.now(),
    }),
  };
}
