import type { StatementMatch } from '@bomtrail/vex';
import type { DecisionKind } from '@bomtrail/messages';
import { anyPackage, type DecidedPackage } from '../../tracking/domain/decision-types';
import { claimsOf, type Claim, type Cover } from './claims';
import { LaterAffected, type Exceptions } from './later-affected';
import type { PlacedStatement } from './vex-documents';

/** A decision of a statement about one service. */
export interface VexDecision {
  placed: PlacedStatement;
  decision: DecisionKind;
  /** Absent: whatever package. */
  packages?: DecidedPackage[];
}

/**
 * The decisions that statements make about the newest SBOM of a service. Of several statements about the same
 * vulnerability and package the latest counts (by time, then by place): one that says “affected” takes away what it
 * covers from those before it, so that the vulnerability stays open (docs/rules.md VX9). Those that name other ids are
 * exceptions of the decision, since aliases may make them one vulnerability at any time. Which of the remaining ones
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
      else earlier.push(claim);
      before.set(id, earlier);
    }
  const later = new LaterAffected(claims.filter(({ decision }) => decision !== null).length);
  const decisions: VexDecision[] = [];
  for (const { placed, decision, cover } of claims.reverse()) {
    if (decision === null) later.add(placed.ids, cover);
    else if (cover === 'everything' || cover.size > 0) {
      const packages = packagesOf(cover, later.exceptionsFrom(placed.ids, cover));
      if (packages !== 'none') decisions.push({ placed, decision, ...(packages && { packages }) });
    }
  }
  return decisions.reverse();
}

/** Of “everything” no part can be taken away, so all of it is: the vulnerability rather stays open. */
function subtract(claim: Claim, cover: Cover): void {
  if (cover === 'everything' || claim.cover === 'everything') claim.cover = new Map();
  else for (const key of cover.keys()) claim.cover.delete(key);
}

/** The packages of a decision; undefined: whatever package; `none`: none can have findings. */
function packagesOf(
  cover: Cover,
  { everywhere, at }: Exceptions,
): DecidedPackage[] | 'none' | undefined {
  const unless = everywhere.length > 0 && { unless: everywhere };
  if (cover === 'everything') return unless ? [{ package_key: anyPackage, ...unless }] : undefined;
  const packages = new Map<string, DecidedPackage & { versions: string[] }>();
  for (const [key, { package_key, version }] of cover) {
    if (package_key === undefined) continue;
    const own = at.get(key);
    const group = JSON.stringify([package_key, own]);
    const same = packages.get(group);
    if (same) same.versions.push(version);
    else packages.set(group, { package_key, versions: [version], ...(own && { unless: own }) });
  }
  if (packages.size === 0) return 'none';
  const excepted = unless ? [{ package_key: anyPackage, versions: [], ...unless }] : [];
  return [...packages.values(), ...excepted];
}
