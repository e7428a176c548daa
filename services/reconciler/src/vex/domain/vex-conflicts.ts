import type { StatementMatch } from '@bomtrail/vex';
import { claimsOf, type Claim } from './claims';
import type { PlacedStatement } from './vex-documents';
import { addTo } from '../../tracking/domain/grouped';

/** Two statements of different documents that decide differently about the same package or SBOM. */
export interface VexConflict {
  /** The record and the place of the earlier statement, and of the later one, which counts. */
  former: { vex_id: string; index: number };
  latter: { vex_id: string; index: number };
}

/** Conflicts of a service that are kept. */
const maxConflicts = 1_000;

/**
 * Where documents disagree: of two statements about the same vulnerability and package that differ, the later one counts
 * (VX9, DC2). At most 1,000.
 *
 * @param groups aliases that are known to be one vulnerability
 */
export function conflictsOf(
  statements: readonly PlacedStatement[],
  matches: readonly StatementMatch[],
  groups: readonly (readonly string[])[] = [],
): VexConflict[] {
  const conflicts = new Map<string, VexConflict>();
  const before = new Map<string, Claim[]>();
  const groupsOf = new Map<string, (readonly string[])[]>();
  for (const group of groups) for (const id of group) addTo(groupsOf, id, group);
  for (const latter of claimsOf(statements, matches)) {
    const { ids } = latter.placed;
    for (const id of new Set([...ids, ...ids.flatMap((one) => groupsOf.get(one) ?? []).flat()])) {
      const earlier = before.get(id) ?? [];
      for (const former of earlier) {
        if (conflicts.size >= maxConflicts) return [...conflicts.values()];
        if (!disagree(former, latter)) continue;
        const pair = { former: placeOf(former), latter: placeOf(latter) };
        conflicts.set(JSON.stringify(pair), pair);
      }
      before.set(id, [...earlier, latter]);
    }
  }
  return [...conflicts.values()];
}

/**
 * The ids of statements by which documents may disagree as soon as aliases make some one vulnerability; empty: they
 * cannot.
 */
export function idsToCompare(
  statements: readonly PlacedStatement[],
  matches: readonly StatementMatch[],
): string[] {
  const claims = claimsOf(statements, matches);
  const isSeveral = (values: unknown[]): boolean => new Set(values).size > 1;
  if (!isSeveral(claims.map(({ decision }) => decision))) return [];
  if (!isSeveral(claims.map(({ placed }) => placed.stored))) return [];
  const ids = new Set(claims.flatMap(({ placed }) => placed.ids));
  return ids.size > 1 ? [...ids].sort() : [];
}

function placeOf({ placed: { stored, index } }: Claim): { vex_id: string; index: number } {
  return { vex_id: stored.id, index };
}

function disagree(one: Claim, other: Claim): boolean {
  if (one.placed.stored === other.placed.stored || one.decision === other.decision) return false;
  if (one.cover === 'everything' || other.cover === 'everything') return true;
  const theirs = other.cover;
  return [...one.cover.keys()].some((key) => theirs.has(key));
}
