/** What can be wrong in a line. */
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

/** One thing of a line that is not as the facts say, in words for an operator. */
export interface Difference {
  kind: DifferenceKind;
  /** Of the row, or of the SBOM; null where it is the line, or something that is not there. */
  id: string | null;
  /** What it is about, as a person would name it. */
  about: string;
  stored: string;
  expected: string;
}
