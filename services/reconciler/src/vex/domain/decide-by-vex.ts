import { ecosystemOf, packageKey } from '@bomtrail/osv';
import { fullName, parsePurl } from '@bomtrail/purl';
import { stateMapping, type CoveredPackage, type StatementMatch } from '@bomtrail/vex';
import type { DecisionKind } from '@bomtrail/messages';
import type { DecidedPackage } from '../../tracking/domain/decision-types';
import type { PlacedStatement } from './vex-documents';

/** A decision of a statement about one service. */
export interface VexDecision {
  placed: PlacedStatement;
  decision: DecisionKind;
  /** Absent: whatever package. */
  packages?: DecidedPackage[];
}

/** Two statements of different documents that decide differently about the same package or SBOM. */
export interface VexConflict {
  /** The record and the place of the earlier statement, and of the later one, which counts. */
  former: { vex_id: string; index: number };
  latter: { vex_id: string; index: number };
}

/** Conflicts of a service that are kept. */
const maxConflicts = 1_000;

/** What a statement covers: a package and version each, or everything. */
type Cover = 'everything' | Map<string, CoveredPackage>;

interface Claim {
  placed: PlacedStatement;
  decision: DecisionKind | null;
  cover: Cover;
}

/**
 * The decisions that statements make about the newest SBOM of a service. Of several statements about the same
 * vulnerability and package the latest counts (by time, then by place): one that says “affected” takes away what it
 * covers from those before it, so that the vulnerability stays open (docs/rules.md VX9). Which of the remaining ones
 * determines a status is the order of all decisions (DC2).
 *
 * @param matches by statement, in order
 */
export function decideByVex(
  statements: readonly PlacedStatement[],
  matches: readonly StatementMatch[],
): VexDecision[] {
  const claims = claimsOf(statements, matches);
  const before = new Map<string, Claim[]>();
  for (const claim of claims)
    for (const id of claim.placed.ids) {
      const earlier = before.get(id) ?? [];
      if (claim.decision === null) for (const one of earlier) subtract(one, claim.cover);
      earlier.push(claim);
      before.set(id, earlier);
    }
  return claims.flatMap((claim) => decisionOf(claim) ?? []);
}

/**
 * Where documents disagree: of two statements about the same vulnerability and package that differ, the later one counts
 * (VX9, DC2). At most 1,000.
 */
export function conflictsOf(
  statements: readonly PlacedStatement[],
  matches: readonly StatementMatch[],
): VexConflict[] {
  const conflicts = new Map<string, VexConflict>();
  const before = new Map<string, Claim[]>();
  for (const latter of claimsOf(statements, matches))
    for (const id of latter.placed.ids) {
      const earlier = before.get(id) ?? [];
      for (const former of earlier) {
        if (conflicts.size >= maxConflicts) return [...conflicts.values()];
        if (!disagree(former, latter)) continue;
        const pair = { former: placeOf(former), latter: placeOf(latter) };
        conflicts.set(JSON.stringify(pair), pair);
      }
      before.set(id, [...earlier, latter]);
    }
  return [...conflicts.values()];
}

/** Statements that apply, by time. */
function claimsOf(
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
    .sort((a, b) => (a.placed.at < b.placed.at ? -1 : Number(a.placed.at > b.placed.at)));
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

function coverOf(covers: 'everything' | readonly CoveredPackage[]): Cover {
  if (covers === 'everything') return covers;
  return new Map(covers.map((one) => [`${one.identity}@${one.version}`, one]));
}

/** Of “everything” no part can be taken away, so all of it is: the vulnerability rather stays open. */
function subtract(claim: Claim, cover: Cover): void {
  if (cover === 'everything' || claim.cover === 'everything') claim.cover = new Map();
  else for (const key of cover.keys()) claim.cover.delete(key);
}

function decisionOf({ placed, decision, cover }: Claim): VexDecision | null {
  if (decision === null) return null;
  if (cover === 'everything') return { placed, decision };
  const versions = new Map<string, string[]>();
  for (const { identity, version } of cover.values()) {
    const key = keyOf(identity);
    if (key !== null) versions.set(key, [...(versions.get(key) ?? []), version]);
  }
  if (versions.size === 0) return null;
  const packages = [...versions].map(([package_key, its]) => ({ package_key, versions: its }));
  return { placed, decision, packages };
}

/** The key of a package among tracked vulnerabilities; null: its ecosystem has no advisories. */
function keyOf(identity: string): string | null {
  const purl = parsePurl(identity);
  const ecosystem = purl && ecosystemOf(purl);
  return purl && ecosystem !== null ? packageKey(ecosystem as string, fullName(purl)) : null;
}
