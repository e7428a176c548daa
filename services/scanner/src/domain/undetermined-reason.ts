import { releaseOfComponent } from '@bomtrail/osv';
import type { Resolution } from './component-set';
import type { DataStatusLookup } from './coverage';
import { ownReason, type ReasonContext } from './own-reason';

/**
 * Why a component counts as undetermined, null when it was judged: the component's own reason first,
 * then what its ecosystem's advisories stand on (before `unknown_action`, which they say). The same word as `summariseSet` and `coverageOf`
 * count it under.
 */
export function undeterminedReason(
  resolution: Resolution,
  by: ReasonContext & { dataStatus: DataStatusLookup },
): string | null {
  if ('reason' in resolution) return resolution.reason;
  const own = ownReason(resolution, by);
  if (own !== null && own !== 'unknown_action') return own;
  const [version] = resolution.versions;
  const status = by.dataStatus(version ? releaseOfComponent(version) : '');
  return status === 'feed' ? own : status;
}
