import { releaseOfComponent } from '@bomtrail/osv';
import type { Place } from './component-set';
import type { Standings } from './coverage';
import { ownReason, type JudgedBy } from './own-reason';

/**
 * Why a component counts as undetermined, null when it was judged: the component's own reason first,
 * then what its ecosystem's advisories stand on (before `unknown_action`, which they say). The same word as `summariseSet` and `coverageOf`
 * count it under.
 */
export function undeterminedReason(
  place: Place,
  by: JudgedBy & { standings: Standings },
): string | null {
  if ('reason' in place) return place.reason;
  const own = ownReason(place, by);
  if (own !== null && own !== 'unknown_action') return own;
  const [version] = place.versions;
  const data_status = by.standings(version ? releaseOfComponent(version) : '');
  return data_status === 'feed' ? own : data_status;
}
