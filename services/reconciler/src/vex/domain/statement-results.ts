import {
  NOT_APPLICABLE,
  nearestReason,
  type NotApplicable,
  type StatementMatch,
} from '@bomtrail/vex';

/** Of a statement that applies. */
const applies = '+';

/**
 * What became of the statements of a document in one SBOM, a character each: `+`, or the place of the reason in
 * `NOT_APPLICABLE`.
 */
export function encodeResults(matches: readonly StatementMatch[]): string {
  return matches
    .map((match) => (match.fits ? applies : NOT_APPLICABLE.indexOf(match.reason).toString(36)))
    .join('');
}

/** In how many SBOMs a statement applies, and the nearest reason of the others. */
export interface StatementResult {
  fits: number;
  reason: NotApplicable | null;
}

/** The results over several SBOMs. Without any SBOM a statement has neither. */
export function combineResults(encoded: readonly string[], statements: number): StatementResult[] {
  return Array.from({ length: statements }, (_, index) => {
    const chars = encoded.flatMap((text) => text[index] ?? []);
    const reasons = chars.flatMap((char) => NOT_APPLICABLE[Number.parseInt(char, 36)] ?? []);
    return {
      fits: chars.filter((char) => char === applies).length,
      reason: nearestReason(reasons),
    };
  });
}
