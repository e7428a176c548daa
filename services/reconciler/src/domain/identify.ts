import type { TrackedVulnerability } from './types';
import type { Group } from './unite-groups';

/** Rows with their identities brought up to date, and the row that an alias belongs to. */
export interface Identified {
  vulnerabilities: TrackedVulnerability[];
  /** The row of (package, upper-case alias); every alias of every group has one. */
  vulnerabilityIdOf(packageKey: string, alias: string): string | undefined;
  /**
   * Did a row come apart, become one with another, or meet a group that is not what it shows? The past
   * changes too, and only `recompute` is exact.
   */
  reshaped: boolean;
}

/**
 * Identity is a stored fact: (line, package, alias) → row.
 *
 * - R2 A group belongs to the row that stands for one of its aliases, in the same package.
 * - R3 Where one row meets several groups (a split), it stays with what it shows; where that came
 *   apart, with the group that holds its origin, else with the one whose first alias is smallest. The
 *   others get other rows, and it no longer stands for their aliases.
 * - R4 Where one group meets several rows (a merge), the oldest row stays and stands for all that they
 *   stood for; the others point to it and keep what they showed. Where they come apart again, each is
 *   the row of its own group as before.
 * - R5 A group that meets no row gets a new one.
 */
export function identify(
  vulnerabilities: readonly TrackedVulnerability[],
  groups: readonly Group[],
  newId: () => string,
): Identified {
  const groupsByAlias = new Map<string, Group>();
  for (const group of groups) {
    for (const alias of group.aliases) groupsByAlias.set(keyOf(group.package_key, alias), group);
  }
  const groupOf = (vulnerability: TrackedVulnerability, alias: string): Group | undefined =>
    groupsByAlias.get(keyOf(vulnerability.package_key, alias));

  const claims = new Map<Group, TrackedVulnerability[]>();
  let reshaped = false;
  for (const vulnerability of vulnerabilities) {
    const met = new Set(
      vulnerability.identity.flatMap((alias) => groupOf(vulnerability, alias) ?? []),
    );
    if (met.size === 0) continue;
    const own = [...met].sort(byClaim(vulnerability))[0] as Group;
    if (met.size > 1 && vulnerability.merged_into === null) reshaped = true;
    if (
      vulnerability.snapshot !== null &&
      snapshotAliases(vulnerability).join() !== own.aliases.join()
    )
      reshaped = true;
    claims.set(own, [...(claims.get(own) ?? []), vulnerability]);
  }

  const changed = new Map<string, TrackedVulnerability>();
  const vulnerabilityOfGroup = new Map<Group, string>();
  for (const group of groups) {
    const [winner, ...losers] = (claims.get(group) ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
    const vulnerability = winner ?? newVulnerability(group, newId());
    // What was merged has left its aliases to another row.
    const stoodFor = [vulnerability, ...losers].filter((one) => one.merged_into === null);
    const kept = stoodFor
      .flatMap((one) => one.identity)
      .filter((alias) => (groupOf(vulnerability, alias) ?? group) === group);
    const identity = [...new Set([...kept, ...group.aliases])].sort();
    if (vulnerability.merged_into !== null) {
      reshaped = true;
      changed.set(vulnerability.id, {
        ...vulnerability,
        identity,
        status: 'vanished',
        merged_into: null,
      });
    } else if (!winner || identity.join() !== vulnerability.identity.join()) {
      changed.set(vulnerability.id, { ...vulnerability, identity });
    }
    for (const loser of losers) {
      const isNews = loser.merged_into !== vulnerability.id;
      // People know it by what it shows: by the rest it would be taken for something else later.
      const own = isNews && loser.snapshot ? snapshotAliases(loser) : loser.identity;
      const left = own.filter((alias) => (groupOf(loser, alias) ?? group) === group);
      if (isNews) reshaped = true;
      if (isNews || left.length < loser.identity.length) {
        const merged = { status: 'merged' as const, merged_into: vulnerability.id };
        changed.set(loser.id, { ...loser, ...merged, identity: left });
      }
    }
    vulnerabilityOfGroup.set(group, vulnerability.id);
  }

  const known = new Set(vulnerabilities.map((vulnerability) => vulnerability.id));
  const fresh = [...changed.values()].filter((vulnerability) => !known.has(vulnerability.id));
  return {
    vulnerabilities: [
      ...vulnerabilities.map((vulnerability) => changed.get(vulnerability.id) ?? vulnerability),
      ...fresh,
    ],
    vulnerabilityIdOf: (packageKey, alias) => {
      const group = groupsByAlias.get(keyOf(packageKey, alias));
      return group && vulnerabilityOfGroup.get(group);
    },
    reshaped,
  };
}

/** Of the groups that a row meets, its own first. */
function byClaim(vulnerability: TrackedVulnerability): (a: Group, b: Group) => number {
  const snapshot = snapshotAliases(vulnerability);
  const rank = ({ aliases }: Group): string => {
    const isInSnapshot = aliases.some((alias) => snapshot.includes(alias));
    return `${isInSnapshot ? 0 : 1}${aliases.includes(vulnerability.origin) ? 0 : 1}${aliases[0] ?? ''}`;
  };
  return (a, b) => (rank(a) < rank(b) ? -1 : 1);
}

function snapshotAliases({ snapshot }: TrackedVulnerability): string[] {
  return snapshot ? snapshot.aliases.map((alias) => alias.toUpperCase()).sort() : [];
}

function newVulnerability(group: Group, id: string): TrackedVulnerability {
  return {
    id,
    package_key: group.package_key,
    origin: group.advisory_ids[0] ?? group.aliases[0] ?? '',
    identity: [],
    presence: [],
    first_seen_at: null,
    last_seen: null,
    snapshot: null,
    status: 'vanished',
    merged_into: null,
  };
}

function keyOf(packageKey: string, alias: string): string {
  return `${packageKey}\n${alias}`;
}
