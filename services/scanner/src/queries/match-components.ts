import { AppError, type ComponentsMatch } from '@bomtrail/messages';
import { packLines } from '@bomtrail/messaging';
import { isSameState, type FeedState } from '../feeds/domain/feed-state';
import type { FeedStateStore } from '../feeds/store/feed-state-store';
import { assessVersions, type AssessVersionsDeps } from '../matching/assess-versions';
import type { MatchedComponent } from '../matching/domain/component';
import { summariseSet, type ResolvedSet } from '../matching/domain/component-set';
import {
  withResolved,
  type PackedComponents,
  type ResolveComponentsDeps,
} from '../matching/resolve-components';
import { createUnstoredVersions } from '../matching/unstored-versions';
import { describeComponents, type DescribeComponentsDeps } from './describe-components';
import { advisoryDataOf, coverageOf } from './domain/coverage';
import { Report } from './findings-report';
import type { DataStatusDeps } from './read-feeds';
import { maxRounds } from './set-at';

export interface MatchComponentsDeps
  extends
    AssessVersionsDeps,
    Omit<DescribeComponentsDeps, 'versions'>,
    Omit<ResolveComponentsDeps, 'request'>,
    Pick<DataStatusDeps, 'dataStatusIn'> {
  feed: Pick<FeedStateStore, 'read'>;
}

/** Characters at which a line of the result ends. */
const lineText = 3 * 1024 * 1024;

/**
 * Matches components that are stored nowhere with the advisories in force, like a scan, and stores
 * nothing: no package version, no component set, no ecosystem to be loaded (ADR 0052). Of an
 * ecosystem that was never loaded the components are undetermined.
 *
 * @param gone aborts when the result is no longer wanted
 * @returns `packed`: the findings by package, see the message `match-components`
 * @throws AppError `service_unavailable` while no advisories are loaded or when they keep changing
 */
export async function matchComponents(
  deps: MatchComponentsDeps,
  components: PackedComponents,
  gone: AbortSignal,
): Promise<ComponentsMatch & { packed: Uint8Array }> {
  return withResolved(deps, components, async (set) => {
    for (let round = 0; round < maxRounds; round += 1) {
      gone.throwIfAborted();
      const state = await deps.feed.read();
      if (state.data === 'none')
        throw new AppError('service_unavailable', 'No advisories are loaded yet.');
      const result = await matchAt(deps, { set, state, gone });
      if (isSameState(await deps.feed.read(), state)) return result;
    }
    throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
  });
}

async function matchAt(
  deps: MatchComponentsDeps,
  { set, state, gone }: { set: ResolvedSet; state: FeedState; gone: AbortSignal },
): Promise<ComponentsMatch & { packed: Uint8Array }> {
  const unstored = {
    ...deps,
    versions: createUnstoredVersions(deps, set.versions, { state, gone }),
  };
  const { assessments } = await assessVersions(unstored, set.versions, state);
  const { matched, counts } = summariseSet(set, assessments);
  const dataStatus = deps.dataStatusIn(state);
  return {
    coverage: coverageOf(counts, dataStatus),
    advisory_data: advisoryDataOf(counts, dataStatus, state.data),
    revision: state.revision,
    packed: await packLines(lines(unstored, matched.sort(byPackage), state)),
  };
}

function byPackage(a: MatchedComponent, b: MatchedComponent): number {
  return a.package_key < b.package_key ? -1 : Number(a.package_key > b.package_key);
}

async function* lines(
  deps: DescribeComponentsDeps,
  matched: readonly MatchedComponent[],
  { stamp, revision }: FeedState,
): AsyncGenerator<string> {
  let report = new Report();
  for await (const { found } of describeComponents(deps, matched, { stamp, revision })) {
    for (const one of found) report.add(one);
    if (report.characters < lineText) continue;
    yield report.text();
    report = new Report();
  }
  if (report.characters > 0) yield report.text();
}
