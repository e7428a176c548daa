import type { AdvisoryData, FeedView, RiskFeedView, VexSourceView } from '@bomtrail/messages';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import type { DataStatusLookup } from './domain/coverage';
import { feedViews } from '../feeds/domain/feed-view';
import { isApplied, type FeedState } from '../feeds/domain/feed-state';
import type { FeedStateStore } from '../feeds/store/feed-state-store';
import { riskFeedViews } from '../risk/domain/risk-feed-view';
import type { RiskDeps } from '../risk/list-risk-changes';
import { vexSourceView } from '../vex-sources/domain/vex-source-view';
import type { VexSource, VexSourceStore } from '../vex-sources/ports';
import type { RiskSource } from '../risk/sources/open-risk-file';

export interface DataStatusDeps {
  feed: FeedStateStore;
  /** Returns the data status of each ecosystem by the state of the feeds. */
  dataStatusIn(state: FeedState): DataStatusLookup;
}

export interface ReadFeedsDeps extends DataStatusDeps, RiskDeps {
  riskSources: readonly RiskSource[];
  vexSources: readonly VexSource[];
  vexSourceStore: VexSourceStore;
}

/** Rejected documents of a source that are shown. */
const rejectedShown = 20;

/**
 * Returns the state of the advisory data by ecosystem, and whether it is applied to all results.
 */
export async function readFeeds(deps: ReadFeedsDeps): Promise<{
  advisory_data: AdvisoryData;
  revision: number;
  applied: boolean;
  feeds: FeedView[];
  risk_feeds: RiskFeedView[];
  vex_sources: VexSourceView[];
}> {
  const now = Date.now();
  const [state, risk, vex_sources] = await Promise.all([
    deps.feed.read(),
    deps.riskStates.read(),
    readVexSources(deps, now),
  ]);
  return {
    advisory_data: state.data,
    revision: state.revision,
    applied: isApplied(state),
    feeds: feedViews(MATCHED_ECOSYSTEMS, state.parts, {
      dataStatus: deps.dataStatusIn(state),
      now,
      sourceError: state.source_error,
    }),
    risk_feeds: riskFeedViews(risk, {
      now,
      isOn: (feed) => deps.riskSources.some((source) => source.feed === feed),
    }),
    vex_sources,
  };
}

async function readVexSources(
  { vexSources, vexSourceStore }: Pick<ReadFeedsDeps, 'vexSources' | 'vexSourceStore'>,
  now: number,
): Promise<VexSourceView[]> {
  if (vexSources.length === 0) return [];
  const states = await vexSourceStore.states();
  return Promise.all(
    vexSources.map(async ({ origin }) => {
      const rejected = await vexSourceStore.rejected(origin, rejectedShown);
      const state = states.find((one) => one.origin === origin);
      return vexSourceView(origin, state, { now, rejected });
    }),
  );
}
