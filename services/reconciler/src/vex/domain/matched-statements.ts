import type { StatementMatch } from '@bomtrail/vex';
import type { PlacedStatement } from './vex-documents';

/** Statements with what each covers in an SBOM, in order. */
export interface MatchedStatements {
  statements: PlacedStatement[];
  matches: StatementMatch[];
}

/** Several lists as one. */
export function joined(...lists: readonly MatchedStatements[]): MatchedStatements {
  return {
    statements: lists.flatMap(({ statements }) => statements),
    matches: lists.flatMap(({ matches }) => matches),
  };
}
