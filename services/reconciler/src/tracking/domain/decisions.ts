import type { DecisionKind, DecisionSource, VulnerabilityStatus } from '@bomtrail/messages';
import {
  type ActiveDecision,
  anyPackage,
  type Decided,
  type DecidedPackage,
} from './decision-types';
import { isSelected } from './selection';
import type { TrackedVulnerability } from './types';
import { allNames, isNamedBy } from './vulnerability-names';
import { compareValues } from './compare-values';

/** The status by the decision (docs/rules.md DC1). */
export const statusOfDecision: Record<DecisionKind, Exclude<VulnerabilityStatus, 'fixed'>> = {
  risk_accepted: 'accepted',
  not_affected: 'not_affected',
  false_positive: 'false_positive',
  in_triage: 'open',
};

/** Statuses of vulnerabilities in the newest scanned SBOM that a decision takes out of the active list. */
export const decidedStatuses = ['accepted', 'not_affected', 'false_positive'] as const;

/** Statuses of vulnerabilities in the newest scanned SBOM. */
export const presentStatuses = ['open', ...decidedStatuses] as const;

/** Whether a decision took a vulnerability with this status out of the active list. */
export function isDecided(status: string): boolean {
  return (decidedStatuses as readonly string[]).includes(status);
}

/**
 * R13 A decision applies to every vulnerability whose current alias group shares an id with it (of a VEX document: VX13),
 * within its scope (all projects, project, services, packages), until it expires. Former aliases do not count: a corrected
 * alias must not hide another vulnerability. Where it names versions of a package, all versions that the SBOM
 * holds must be among them. What a later statement calls affected is excepted (VX9). A standing rule applies to what its
 * filter selects instead (DC8).
 */
export function appliesTo(
  decision: Pick<
    ActiveDecision,
    'identity' | 'source' | 'selects' | 'services' | 'packages' | 'expires_at'
  >,
  vulnerability: TrackedVulnerability,
  at: { service_id: string; now: string },
): boolean {
  if (decision.services && !decision.services.includes(at.service_id)) return false;
  if (decision.expires_at !== null && decision.expires_at <= at.now) return false;
  if (decision.selects) return isSelected(vulnerability, decision.selects);
  const { package_key, snapshot } = vulnerability;
  const { package_versions = [] } = snapshot ?? {};
  const ids = { identity: decision.identity, names: allNames(vulnerability) };
  return (
    isNamedBy(decision, vulnerability) &&
    isAboutPackage(decision.packages, { package_key, package_versions }, ids)
  );
}

/**
 * Of several decisions that apply, the first one in this order determines the status (docs/rules.md DC2). It
 * is a total order, so that the same facts give the same status:
 *
 * 1. a person's decision before a document's, both before a standing rule
 * 2. the narrower scope: services, project, all projects
 * 3. the one decided later
 * 4. the greater id
 */
export function byPrecedence(
  a: Pick<ActiveDecision, 'id' | 'source' | 'is_global' | 'services' | 'decided_at'>,
  b: Pick<ActiveDecision, 'id' | 'source' | 'is_global' | 'services' | 'decided_at'>,
): number {
  return (
    rankOf[a.source] - rankOf[b.source] ||
    widthOf(a) - widthOf(b) ||
    compareValues(b.decided_at, a.decided_at) ||
    compareValues(b.id, a.id)
  );
}

/** Of sources in DC2: the lower one first. */
const rankOf: Record<DecisionSource, number> = { manual: 0, vex: 1, rule: 2 };

/**
 * What a vulnerability keeps of the first of the decisions that apply, in the order of DC2; undefined without any. DC10: it
 * is contradicted if another one is of another kind.
 */
export function decidedBy([first, ...others]: readonly ActiveDecision[]): Decided | undefined {
  if (!first) return undefined;
  const { id, decision, source, ticket_url, assignee } = first;
  return {
    id,
    decision,
    source,
    ...(ticket_url !== null && { ticket_url }),
    ...(assignee !== null && { assignee }),
    ...(others.some((one) => one.decision !== decision) && { contradicted: true as const }),
  };
}

function widthOf({ is_global, services }: Pick<ActiveDecision, 'is_global' | 'services'>): number {
  if (services) return 0;
  return is_global ? 2 : 1;
}

/**
 * Whether the packages of a decision (undefined: all) contain all these versions of a package.
 *
 * @param ids those of the decision, and all names of the vulnerability, upper case
 */
export function isAboutPackage(
  packages: readonly DecidedPackage[] | undefined,
  { package_key, package_versions }: { package_key: string; package_versions: readonly string[] },
  { identity, names }: { identity: readonly string[]; names: readonly string[] },
): boolean {
  if (!packages) return true;
  const others = names.filter((name) => !identity.includes(name));
  const isExcepted = ({ unless }: DecidedPackage): boolean =>
    unless?.some((id) => others.some((other) => isNamed(other, id))) ?? false;
  if (packages.some((one) => one.package_key === anyPackage && isExcepted(one))) return false;
  const own = packages
    .filter((one) => one.package_key === package_key || one.package_key === anyPackage)
    .filter((one) => one.versions?.length !== 0 && !isExcepted(one));
  if (own.length === 0) return false;
  return (
    own.some(({ versions }) => !versions) ||
    package_versions.every((version) => own.some(({ versions }) => versions?.includes(version)))
  );
}

/** @param by an id, or the beginning of some and `*` */
function isNamed(id: string, by: string): boolean {
  return by.endsWith('*') ? id.startsWith(by.slice(0, -1)) : id === by;
}
