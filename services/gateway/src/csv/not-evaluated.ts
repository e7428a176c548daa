import type { AdvisoryData, Coverage } from '@bomtrail/messages';

/** What a list of vulnerabilities cannot contain, for `Warning`; null: nothing. */
export function notEvaluated(advisoryData: AdvisoryData): string | null {
  switch (advisoryData) {
    case 'none':
      return 'not evaluated: no advisories are loaded';
    case 'starter':
      return 'not evaluated: only the starter set of advisories is loaded';
    case 'feed':
      return null;
  }
}

/** The same of the list of an SBOM, whose coverage is known. */
export function notCovered(coverage: Coverage | null): string | null {
  if (!coverage) return null;
  const { components, evaluated } = coverage;
  return evaluated === components
    ? null
    : `not evaluated: ${components - evaluated} of ${components} components`;
}
