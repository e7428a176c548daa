import type { SourceDataStatus } from '@bomtrail/osv';
import type { AssessmentSummary } from './assess-version';

/** The package versions of a resolved component. */
export interface ResolvedIds {
  versionIds: readonly string[];
  source: SourceDataStatus;
}

/** What the reason depends on besides the component. */
export interface ReasonContext {
  assessmentOf: (versionId: string) => Omit<AssessmentSummary, 'matches'>;
  /** Whether any component of the set names its source package. */
  namesSources: boolean;
}

/**
 * Returns why a component is undetermined regardless of the data status: an undecided advisory, or
 * an unknown source package. Null when it was evaluated.
 * Rule M34: in a document that names no source packages, the source of a package is unknown if its
 * distribution publishes advisories by source.
 */
export function ownReason({ versionIds, source }: ResolvedIds, by: ReasonContext): string | null {
  for (const id of versionIds) {
    const { undetermined } = by.assessmentOf(id);
    if (undetermined !== null) return undetermined;
  }
  return source === 'assumed' && !by.namesSources ? 'source_unknown' : null;
}

/** Ids of the undecided advisories of a component. */
export function undecidedOf(
  { versionIds }: Pick<ResolvedIds, 'versionIds'>,
  by: Pick<ReasonContext, 'assessmentOf'>,
): string[] {
  const found: string[] = [];
  for (const id of versionIds) found.push(...(by.assessmentOf(id).undecided ?? []));
  return found;
}
