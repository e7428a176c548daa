import type { Row } from './types';
import type { Group } from './unite-groups';

/** Rows with their identities brought up to date, and the row that an alias belongs to. */
export interface Identified {
  rows: Row[];
  /** The row of (package, upper-case alias); every alias of every group has one. */
  rowIdOf(packageKey: string, alias: string): string | undefined;
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
  rows: readonly Row[],
  groups: readonly Group[],
  newId: () => string,
): Identified {
  const groupsByAlias = new Map<string, Group>();
  for (const group of groups) {
    for (const alias of group.aliases) groupsByAlias.set(keyOf(group.package_key, alias), group);
  }
  const groupOf = (row: Row, alias: string): Group | undefined =>
    groupsByAlias.get(keyOf(row.package_key, alias));

  const claims = new Map<Group, Row[]>();
  let reshaped = false;
  for (const row of rows) {
    const met = new Set(row.identity.flatMap((alias) => groupOf(row, alias) ?? []));
    if (met.size === 0) continue;
    const own = [...met].sort(byClaim(row))[0] as Group;
    if (met.size > 1 && row.merged_into === null) reshaped = true;
    if (row.shown !== null && shownAliases(row).join() !== own.aliases.join()) reshaped = true;
    claims.set(own, [...(claims.get(own) ?? []), row]);
  }

  const changed = new Map<string, Row>();
  const rowOfGroup = new Map<Group, string>();
  for (const group of groups) {
    const [winner, ...losers] = (claims.get(group) ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
    const row = winner ?? newRow(group, newId());
    // What was merged has left its aliases to another row.
    const stoodFor = [row, ...losers].filter((one) => one.merged_into === null);
    const kept = stoodFor
      .flatMap((one) => one.identity)
      .filter((alias) => (groupOf(row, alias) ?? group) === group);
    const identity = [...new Set([...kept, ...group.aliases])].sort();
    if (row.merged_into !== null) {
      reshaped = true;
      changed.set(row.id, { ...row, identity, status: 'vanished', merged_into: null });
    } else if (!winner || identity.join() !== row.identity.join()) {
      changed.set(row.id, { ...row, identity });
    }
    for (const loser of losers) {
      const isNews = loser.merged_into !== row.id;
      // People know it by what it shows: by the rest it would be taken for something else later.
      const own = isNews && loser.shown ? shownAliases(loser) : loser.identity;
      const left = own.filter((alias) => (groupOf(loser, alias) ?? group) === group);
      if (isNews) reshaped = true;
      if (isNews || left.length < loser.identity.length) {
        const merged = { status: 'merged' as const, merged_into: row.id };
        changed.set(loser.id, { ...loser, ...merged, identity: left });
      }
    }
    rowOfGroup.set(group, row.id);
  }

  const known = new Set(rows.map((row) => row.id));
  const fresh = [...changed.values()].filter((row) => !known.has(row.id));
  return {
    rows: [...rows.map((row) => changed.get(row.id) ?? row), ...fresh],
    rowIdOf: (packageKey, alias) => {
      const group = groupsByAlias.get(keyOf(packageKey, alias));
      return group && rowOfGroup.get(group);
    },
    reshaped,
  };
}

/** Of the groups that a row meets, its own first. */
function byClaim(row: Row): (a: Group, b: Group) => number {
  const shown = shownAliases(row);
  const rank = ({ aliases }: Group): string => {
    const isShown = aliases.some((alias) => shown.includes(alias));
    return `${isShown ? 0 : 1}${aliases.includes(row.origin) ? 0 : 1}${aliases[0] ?? ''}`;
  };
  return (a, b) => (rank(a) < rank(b) ? -1 : 1);
}

function shownAliases({ shown }: Row): string[] {
  return shown ? shown.aliases.map((alias) => alias.toUpperCase()).sort() : [];
}

function newRow(group: Group, id: string): Row {
  return {
    id,
    package_key: group.package_key,
    origin: group.advisory_ids[0] ?? group.aliases[0] ?? '',
    identity: [],
    runs: [],
    first_seen_at: null,
    last_seen: null,
    shown: null,
    status: 'vanished',
    merged_into: null,
  };
}

function keyOf(packageKey: string, alias: string): string {
  return `${packageKey}\n${alias}`;
}
