import type { AdvisoryData, Coverage } from '@bomtrail/messages';
import { GITHUB_ACTIONS } from './assess-version';
import type { SetCounts } from './component-set';
import type { FeedDataStatus } from './feed-data-status';

/** On what the answers about an ecosystem, or a release of a distribution (`Debian:12`), stand now. */
export type DataStatusLookup = (release: string) => FeedDataStatus;

/**
 * How much of a set could be judged by the advisories that are held now. Components of an ecosystem
 * that stands on anything but a current feed count as undetermined under that word, not as evaluated:
 * too little is known to call them clean. components = evaluated + undetermined.
 */
export function coverageOf(counts: SetCounts, dataStatus: DataStatusLookup): Coverage {
  let evaluated = 0;
  const { unknown_action: unknownActions = 0, ...undetermined } = counts.undetermined;
  // Which actions are known only the advisories say: where they are not at hand, that is the reason.
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
    ...{ components, evaluated, undetermined },
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
 * On what the answer about a set stands: on the starter set when one of its ecosystems does, on the
 * feed when all of them do; where nothing is loaded for them, on what the answers stand as a whole.
 *
 * @param data on what the answers stand as a whole
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
