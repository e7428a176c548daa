import { currentAliases } from './vulnerability-names';
import type { TrackedVulnerability } from './types';
import { addTo } from './grouped';

/** An alias group in one package, over all SBOMs of a service. */
export interface Group {
  package_key: string;
  /** Upper case, sorted. */
  aliases: string[];
  advisory_ids: string[];
}

/**
 * R1 In one package, groups that share an alias are one group, whichever scans named them. Aliases are
 * compared in upper case.
 */
export function uniteGroups(
  seen: Iterable<{
    package_key: string;
    aliases: readonly string[];
    advisory_ids: readonly string[];
  }>,
): Group[] {
  const groupOf = new Map<string, Set<string>>();
  const advisories = new Map<string, Set<string>>();
  for (const { package_key, aliases, advisory_ids } of seen) {
    const keys = aliases.map((alias) => `${package_key}\n${alias.toUpperCase()}`);
    const first = keys[0];
    if (first === undefined) continue;
    const united = groupOf.get(first) ?? new Set<string>();
    for (const key of keys) {
      for (const member of groupOf.get(key) ?? [key]) {
        united.add(member);
        groupOf.set(member, united);
      }
    }
    const matching = advisories.get(first) ?? new Set<string>();
    for (const id of advisory_ids) matching.add(id.toUpperCase());
    advisories.set(first, matching);
  }
  return [...new Set(groupOf.values())].map((members) => {
    const keys = [...members];
    // A package name may have line breaks, an alias has none.
    const package_key = keys[0]?.slice(0, keys[0].lastIndexOf('\n')) ?? '';
    const advisory_ids = new Set(keys.flatMap((key) => [...(advisories.get(key) ?? [])]));
    return {
      package_key,
      aliases: keys.map((key) => key.slice(package_key.length + 1)).sort(),
      advisory_ids: [...advisory_ids].sort(),
    };
  });
}

/** Vulnerabilities with updated identities. */
export interface Identified {
  vulnerabilities: TrackedVulnerability[];
  /** The vulnerability of a package and an upper-case alias. Every alias of every group has one. */
  vulnerabilityIdOf(packageKey: string, alias: string): string | undefined;
  /**
   * Whether a vulnerability was split, merged, or matched a group other than its snapshot's. Then past
   * versions change too, and only `recompute` is exact.
   */
  reshaped: boolean;
}

/**
 * Updates identities. Identity is a stored fact: (service, package, alias) → tracked vulnerability.
 *
 * - R2 A group belongs to the vulnerability with one of its aliases in the same package.
 * - R3 If one vulnerability matches several groups (a split), it keeps the group of its snapshot; if that was
 *   split, the group of its origin, else the group with the smallest first alias. The other groups get other
 *   vulnerabilities, and it gives up their aliases.
 * - R4 If one group matches several vulnerabilities (a merge), the oldest takes over all aliases; the others
 *   point to it and keep the aliases of their snapshot. If they are split again, each gets its own group
 *   back.
 * - R5 A group without a match gets a new vulnerability.
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
    addTo(claims, own, vulnerability);
  }

  const changed = new Map<string, TrackedVulnerability>();
  const vulnerabilityOfGroup = new Map<Group, string>();
  for (const group of groups) {
    const [winner, ...losers] = (claims.get(group) ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
    const vulnerability = winner ?? newVulnerability(group, newId());
    // Merged vulnerabilities have given up their aliases.
    const unmerged = [vulnerability, ...losers].filter((one) => one.merged_into === null);
    const retained = unmerged
      .flatMap((one) => one.identity)
      .filter((alias) => (groupOf(vulnerability, alias) ?? group) === group);
    const identity = [...new Set([...retained, ...group.aliases])].sort();
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
      const isNewMerge = loser.merged_into !== vulnerability.id;
      // Keeps only the aliases of its snapshot, by which people know it. The rest could match something else
      // later.
      const own = isNewMerge && loser.snapshot ? snapshotAliases(loser) : loser.identity;
      const left = own.filter((alias) => (groupOf(loser, alias) ?? group) === group);
      if (isNewMerge) reshaped = true;
      if (isNewMerge || left.length < loser.identity.length) {
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

/** Sorts the groups that a vulnerability matches by R3. */
function byClaim(vulnerability: TrackedVulnerability): (a: Group, b: Group) => number {
  const snapshot = snapshotAliases(vulnerability);
  const rank = ({ aliases }: Group): string => {
    const isInSnapshot = aliases.some((alias) => snapshot.includes(alias));
    return `${isInSnapshot ? 0 : 1}${aliases.includes(vulnerability.origin) ? 0 : 1}${aliases[0] ?? ''}`;
  };
  return (a, b) => (rank(a) < rank(b) ? -1 : 1);
}

function snapshotAliases(vulnerability: TrackedVulnerability): string[] {
  return currentAliases(vulnerability).sort();
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
