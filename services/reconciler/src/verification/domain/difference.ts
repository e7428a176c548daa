/** The kinds of differences in a service. */
export type DifferenceKind =
  | 'vulnerability-missing'
  | 'vulnerability-differs'
  | 'vulnerability-fields-differ'
  | 'sbom-version-missing'
  | 'sbom-version-extra'
  | 'sbom-version-differs'
  | 'head-differs'
  | 'counters-differ'
  | 'totals-differ'
  | 'state-differs'
  | 'details-missing'
  | 'findings-missing'
  | 'service-unknown'
  | 'service-deleted'
  | 'unreadable';

/** A difference between stored and expected data of a service, in words for an operator. */
export interface Difference {
  kind: DifferenceKind;
  /** Id of the vulnerability or SBOM; null if it concerns the service, or something that is missing. */
  id: string | null;
  /** The human-readable subject. */
  about: string;
  stored: string;
  expected: string;
}

/** A difference of a service as a whole. */
export function ofWholeService(kind: DifferenceKind, stored: string, expected: string): Difference {
  return { kind, id: null, about: 'the whole service', stored, expected };
}
