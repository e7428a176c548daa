import type { SourceDataStatus } from '@bomtrail/osv';
import type { AssessmentSummary } from './assess-version';

/** A component that has a place, as far as it says by itself whether it could be judged. */
export interface ResolvedIds {
  versionIds: readonly string[];
  source: SourceDataStatus;
}

/** What the judging of a component hangs on beside its place. */
export interface ReasonContext {
  assessmentOf: (versionId: string) => Omit<AssessmentSummary, 'matches'>;
  /** Whether any component of the set names its source package. */
  namesSources: boolean;
}

/**
 * Why a component could not be judged, whatever the advisories stand on: an advisory of one of its
 * package versions could not be decided, or nobody knows its source. Null when it was.
 *
 * Rule M34: in a document that names no source at all, nobody knows what the source of a package is
 * whose distribution's advisories speak of sources.
 */
export function ownReason({ versionIds, source }: ResolvedIds, by: ReasonContext): string | null {
  for (const id of versionIds) {
    const { undetermined } = by.assessmentOf(id);
    if (undetermined !== null) return undetermined;
  }
  return source === 'assumed' && !by.namesSources ? 'source_unknown' : null;
}

/** The advisories that could not be decided for a component. */
export function undecidedOf(
  { versionIds }: Pick<ResolvedIds, 'versionIds'>,
  by: Pick<ReasonContext, 'assessmentOf'>,
): string[] {
  return versionIds.flatMap((id) => by.assessmentOf(id).undecided ?? []);
}
