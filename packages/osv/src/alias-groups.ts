/**
 * Rule M17: groups advisory ids that denote the same vulnerability. `aliases` is symmetric and
 * transitive, so groups are the connected components of the alias graph.
 *
 * Returns the group of every id and alias: the smallest id of the group as text. `upstream` and
 * `related` do not join groups. Nearly linear in the number of aliases. Source: OSV schema,
 * "aliases field".
 */
export function aliasGroups(
  records: Iterable<{ id: string; aliases: readonly string[] }>,
): Map<string, string> {
  const drawn = createAliasGroups();
  for (const record of records) drawn.add(record);
  return drawn.groups();
}

/** Builds groups from records added one by one; only ids are stored. */
export function createAliasGroups() {
  const parents = new Map<string, string>();
  return {
    add({ id, aliases }: { id: string; aliases: readonly string[] }): void {
      ensure(parents, id);
      for (const alias of aliases) {
        ensure(parents, alias);
        join(parents, id, alias);
      }
    },

    /** The group of an id; an unknown id is its own group. */
    groupOf: (id: string): string => rootOf(parents, id),

    groups: (): Map<string, string> =>
      new Map([...parents.keys()].map((id) => [id, rootOf(parents, id)])),
  };
}

function ensure(parents: Map<string, string>, id: string): void {
  if (!parents.has(id)) parents.set(id, id);
}

/** The root of a group is always its smallest id. */
function join(parents: Map<string, string>, a: string, b: string): void {
  const [rootA, rootB] = [rootOf(parents, a), rootOf(parents, b)];
  if (rootA < rootB) parents.set(rootB, rootA);
  else if (rootB < rootA) parents.set(rootA, rootB);
}

/** Path halving keeps later lookups short. */
function rootOf(parents: Map<string, string>, id: string): string {
  let current = id;
  for (;;) {
    const parent = parents.get(current) ?? current;
    if (parent === current) return current;
    const grandparent = parents.get(parent) ?? parent;
    parents.set(current, grandparent);
    current = grandparent;
  }
}
