import type { AdvisoryData, Coverage } from '@bomtrail/messages';
import { GITHUB_ACTIONS } from '../../matching/domain/assess-version';
import type { SetCounts } from '../../matching/domain/component-set';
import type { FeedDataStatus } from '../../feeds/domain/feed-data-status';

/** Data status of an ecosystem, or of a release of a distribution (`Debian:12`). */
export type DataStatusLookup = (release: string) => FeedDataStatus;

/**
 * Computes the coverage of a set from its counts and the current data status. Components of an
 * ecosystem without a current feed count as undetermined, with the data status as reason.
 * components = evaluated + undetermined.
 */
export function coverageOf(counts: SetCounts, dataStatus: DataStatusLookup): Coverage {
  let evaluated = 0;
  const { unknown_action: unknownActions = 0, ...undetermined } = counts.undetermined;
  // Only the advisories define which actions are known; without them the data status is the reason.
  const doubt = dataStatus(GITHUB_ACTIONS);
  const reason = doubt === 'feed' ? 'unknown_action' : doubt;
  if (unknownActions > 0) undetermined[reason] = (undetermined[reason] ?? 0) + unknownActions;
  for (const [release, count] of Object.entries(counts.evaluated)) {
    const status = dataStatus(release);
    if (status === 'feed') evaluated += count;
    else undetermined[status] = (undetermined[status] ?? 0) + count;
  }
  const { components, roots, undecided } = counts;
  return {
    components,
    evaluated,
    undetermined,
    ...(roots && rootsOf(roots, dataStatus)),
    ...(undecided !== undefined && { undecided_advisories: undecided }),
  };
}

function rootsOf(
  { components, evaluated }: NonNullable<SetCounts['roots']>,
  dataStatus: DataStatusLookup,
): Pick<Coverage, 'roots' | 'evaluated_roots'> {
  const current = Object.entries(evaluated).filter(([release]) => dataStatus(release) === 'feed');
  return {
    roots: components,
    evaluated_roots: current.reduce((sum, [, count]) => sum + count, 0),
  };
}

/**
 * Returns the advisory data that a result is based on: `starter` when one of its ecosystems uses
 * the starter set, `feed` when all use the feed, else the overall value.
 *
 * @param data the overall value
 */
export function advisoryDataOf(
  counts: Pick<SetCounts, 'evaluated'>,
  dataStatus: DataStatusLookup,
  data: AdvisoryData,
): AdvisoryData {
  const found = new Set(Object.keys(counts.evaluated).map(dataStatus));
  if (data === 'none' || found.size === 0) return data;
  if (found.has('starter_data')) return 'starter';
  return found.has('feed_not_loaded') ? data : 'feed';
}
