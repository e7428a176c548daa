import { releaseOfComponent } from '@bomtrail/osv';
import type { Resolution } from '../../matching/domain/component-set';
import type { DataStatusLookup } from './coverage';
import { ownReason, type ReasonContext } from '../../matching/domain/own-reason';

/**
 * Returns why a component is undetermined, null when it was evaluated: its own reason first, then
 * the data status (which precedes `unknown_action`). Same codes as in `summariseSet` and
 * `coverageOf`.
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
