/**
 * Rule M17: which ids are one vulnerability. `aliases` is symmetric and transitive, so the groups
 * are the connected parts of the graph that they draw; their order does not matter.
 *
 * Takes records (of one id any number) and gives for every id, also for those that are only named
 * as aliases, its group: the smallest id of the group as text. `upstream` and `related` do not
 * join groups. Nearly linear in the number of aliases. Source: OSV schema, "aliases field".
 */
export function aliasGroups(
  records: Iterable<{ id: string; aliases: readonly string[] }>,
): Map<string, string> {
  const drawn = createAliasGroups();
  for (const record of records) drawn.add(record);
  return drawn.groups();
}

/** The same for records that come one by one: only their ids are kept. */
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

    /** The group of an id; of one that nobody has named: the id itself. */
    groupOf: (id: string): string => rootOf(parents, id),

    groups: (): Map<string, string> =>
      new Map([...parents.keys()].map((id) => [id, rootOf(parents, id)])),
  };
}

function ensure(parents: Map<string, string>, id: string): void {
  if (!parents.has(id)) parents.set(id, id);
}

/** The smaller root stays the root, so a root is always its group's smallest id. */
function join(parents: Map<string, string>, a: string, b: string): void {
  const [rootA, rootB] = [rootOf(parents, a), rootOf(parents, b)];
  if (rootA < rootB) parents.set(rootB, rootA);
  else if (rootB < rootA) parents.set(rootA, rootB);
}

/** Halves the path on its way, which keeps later walks short. */
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
