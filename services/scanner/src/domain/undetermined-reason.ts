import { releaseOfComponent } from '@bomtrail/osv';
import type { Assessment } from './assess-version';
import { isSourceUnknown, sourceUnknown, type Place } from './component-set';
import type { Standings } from './coverage';

/**
 * Why a component counts as undetermined, null when it was judged: the component's own reason first,
 * then what its ecosystem's advisories stand on. The same word as `summariseSet` and `coverageOf`
 * count it under.
 */
export function undeterminedReason(
  place: Place,
  by: {
    standings: Standings;
    assessmentOf: (versionId: string) => Assessment;
    namesSources: boolean;
  },
): string | null {
  if ('reason' in place) return place.reason;
  for (const id of place.versionIds) {
    const { undetermined } = by.assessmentOf(id);
    if (undetermined !== null) return undetermined;
  }
  if (isSourceUnknown(place, by)) return sourceUnknown;
  const [version] = place.versions;
  const standing = by.standings(version ? releaseOfComponent(version) : '');
  return standing === 'feed' ? null : standing;
}
