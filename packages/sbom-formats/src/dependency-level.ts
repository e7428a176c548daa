import type { DependencyGraph } from './dependency-graph';
import type { NamedPackage } from './package-naming';
import { directIn, purlKey, readGraph, versionKey } from './read-graph';

/** A component of the dependency tree. */
export interface DependencyNode extends NamedPackage {
  /** In the document: of CycloneDX the bom-ref, of SPDX the element. */
  id: string;
  /** How many it depends on; with a filter, of those that are in the tree. */
  children: number;
  /** The filter selects it, or there is none; false: it leads to what the filter selects. */
  matches: boolean;
}

/** What one component depends on. */
export interface DependencyLevel {
  /** False: the document has no such component. */
  parent_known: boolean;
  items: DependencyNode[];
  total: number;
}

export interface LevelQuery {
  /** Id of a component; null: the roots, so that the level has the direct dependencies. */
  parent: string | null;
  /** Each must occur in name, version or purl, in any case. */
  words: readonly string[];
  /** Packages and versions of which one must be it; null: any. */
  packages: readonly { purl: string; versions: readonly string[] }[] | null;
  skip: number;
  limit: number;
}

/**
 * Reads one level of the dependency tree of a document, by the document's own graph, by name and version. A filter
 * leaves of the tree what it selects and what leads there. Cycles are harmless: a level is finite, and the cost is
 * linear in the graph.
 *
 * @param bytes a document that was read before
 * @returns null if the document's graph lists nothing for its root
 * @throws Error if the bytes are no supported document
 */
export function readDependencyLevel(bytes: Uint8Array, query: LevelQuery): DependencyLevel | null {
  const graph = readGraph(bytes);
  const { parent } = query;
  if (parent !== null && !graph.nodes.has(parent))
    return { parent_known: false, items: [], total: 0 };
  if (directIn(graph).size === 0) return null;
  const matching = matchingIn(graph, query);
  const inTree = matching && withAncestors(graph, matching);
  const childrenOf = (id: string): string[] => {
    const children = new Set(graph.children.get(id) ?? []);
    return [...children].filter(
      (one) =>
        one !== id && graph.nodes.has(one) && !graph.roots.has(one) && (inTree?.has(one) ?? true),
    );
  };
  const ids =
    parent === null ? [...new Set([...graph.roots].flatMap(childrenOf))] : childrenOf(parent);
  const level = ids.map((id) => ({ id, ...nameOf(graph, id) })).sort(byName);
  const items = level.slice(query.skip, query.skip + query.limit).map((one): DependencyNode => {
    const matches = matching?.has(one.id) ?? true;
    return { ...one, children: childrenOf(one.id).length, matches };
  });
  return { parent_known: true, items, total: level.length };
}

/** Ids of what the filter selects; null: there is no filter. */
function matchingIn(
  { nodes, roots }: DependencyGraph,
  { words, packages }: LevelQuery,
): Set<string> | null {
  if (words.length === 0 && packages === null) return null;
  const wanted = words.map((word) => word.toLowerCase());
  const keys =
    packages &&
    new Set(packages.flatMap(({ purl, versions }) => versions.map((one) => versionKey(purl, one))));
  const isWanted = ({ name, version, purl }: NamedPackage): boolean => {
    const said = `${name} ${version} ${purl ?? ''}`.toLowerCase();
    return (
      wanted.every((word) => said.includes(word)) &&
      (!keys || (purl !== null && keys.has(purlKey(purl))))
    );
  };
  const found = [...nodes].filter(([id, names]) => !roots.has(id) && names.some(isWanted));
  return new Set(found.map(([id]) => id));
}

/** These and all that depends on them. */
function withAncestors(graph: DependencyGraph, ids: ReadonlySet<string>): Set<string> {
  const found = new Set(ids);
  for (const id of found) for (const parent of graph.parents.get(id) ?? []) found.add(parent);
  return found;
}

function nameOf({ nodes }: DependencyGraph, id: string): NamedPackage {
  const [named] = nodes.get(id) ?? [];
  return { name: named?.name ?? id, version: named?.version ?? '', purl: named?.purl ?? null };
}

type Named = NamedPackage & { id: string };

function byName(a: Named, b: Named): number {
  return compare(a.name, b.name) || compare(a.version, b.version) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
