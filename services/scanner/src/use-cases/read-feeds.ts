import type { AdvisoryData, FeedView } from '@bomtrail/messages';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import type { DataStatusLookup } from '../domain/coverage';
import { feedViews } from '../domain/feed-view';
import { isApplied, type FeedState, type FeedStateStore } from '../store/feed-state-store';

export interface DataStatusDeps {
  feed: FeedStateStore;
  /** On what the answers about each ecosystem stand now, by the state of the feeds. */
  dataStatusIn(state: FeedState): DataStatusLookup;
}

/** Which advisories are held, ecosystem by ecosystem, and whether every result stands on them. */
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
