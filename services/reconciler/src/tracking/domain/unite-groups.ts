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
