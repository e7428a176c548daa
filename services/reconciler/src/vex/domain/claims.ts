import type { DecisionKind } from '@bomtrail/messages';
import { stateMapping, type CoveredPackage, type StatementMatch } from '@bomtrail/vex';
import type { PlacedStatement } from './vex-documents';
import { compareValues } from '../../tracking/domain/compare-values';

/** What a statement covers: a package and version each, or everything. */
export type Cover = 'everything' | Map<string, CoveredPackage>;

/** A statement that applies, with what it decides; null: nothing, it says “affected”. */
export interface Claim {
  placed: PlacedStatement;
  decision: DecisionKind | null;
  cover: Cover;
}

/** Statements that apply, by time. */
export function claimsOf(
  statements: readonly PlacedStatement[],
  matches: readonly StatementMatch[],
): Claim[] {
  return statements
    .flatMap((placed, index): Claim[] => {
      const match = matches[index];
      if (!match?.fits || placed.ids.length === 0) return [];
      const { decision } = stateMapping(placed.statement.status);
      return [{ placed, decision, cover: coverOf(match.covers) }];
    })
    .sort((a, b) => compareValues(a.placed.at, b.placed.at));
}

function coverOf(covers: 'everything' | readonly CoveredPackage[]): Cover {
  if (covers === 'everything') return covers;
  return new Map(covers.map((one) => [`${one.package_key ?? one.identity}@${one.version}`, one]));
}
