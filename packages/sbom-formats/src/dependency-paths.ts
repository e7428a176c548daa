import type { DependencyGraph } from './dependency-graph';
import type { NamedPackage } from './package-naming';
import { directIn, purlKey, readGraph } from './read-graph';

/** How a component comes into a document. */
export interface DependencyPaths {
  /** The document contains it. */
  found: boolean;
  /**
   * One shortest path for each direct dependency that leads to it, shortest first: from the direct dependency
   * to the component. Empty if the graph does not reach it.
   */
  paths: NamedPackage[][];
  /** There are more direct dependencies, or longer paths, than are returned. */
  more: boolean;
}

export interface PathLimits {
  /** Paths of one component. */
  paths: number;
  /** Components of one path. */
  length: number;
}

/**
 * Finds how components come into a document, by the document's own graph. Cycles are harmless, and the cost
 * is linear in the graph for each component.
 *
 * @param bytes a document that was read before
 * @param purls as in the document, or naming the same package and version
 * @returns by purl, in order; null if the document's graph lists nothing for its root
 * @throws Error if the bytes are no supported document
 */
export function findDependencyPaths(
  bytes: Uint8Array,
  purls: readonly string[],
  limits: PathLimits,
): DependencyPaths[] | null {
  const graph = readGraph(bytes);
  const direct = directIn(graph);
  if (direct.size === 0) return null;
  return purls.map((purl) => pathsTo(graph, { direct, targets: targetsOf(graph, purl), limits }));
}

function targetsOf({ nodes, roots }: DependencyGraph, purl: string): string[] {
  const wanted = purlKey(purl);
  const isWanted = (named: NamedPackage): boolean =>
    named.purl !== null && (named.purl === purl || purlKey(named.purl) === wanted);
  return [...nodes].flatMap(([id, names]) => (!roots.has(id) && names.some(isWanted) ? [id] : []));
}

/** Walks from the targets towards the roots; each component is visited once, so `next` has no cycle. */
function pathsTo(
  graph: DependencyGraph,
  {
    direct,
    targets,
    limits,
  }: { direct: ReadonlySet<string>; targets: string[]; limits: PathLimits },
): DependencyPaths {
  const next = new Map<string, string | null>(targets.map((id) => [id, null]));
  const begins: string[] = [];
  const queue = [...targets];
  for (const id of queue) {
    if (direct.has(id)) begins.push(id);
    for (const parent of graph.parents.get(id) ?? []) {
      if (next.has(parent) || graph.roots.has(parent)) continue;
      next.set(parent, id);
      queue.push(parent);
    }
  }
  const paths = begins.slice(0, limits.paths).map((begin) => {
    const path: NamedPackage[] = [];
    for (let id: string | null = begin; id !== null; id = next.get(id) ?? null) {
      const [named] = graph.nodes.get(id) ?? [];
      path.push(named ?? { name: id, version: '', purl: null });
      if (path.length > limits.length) return null;
    }
    return path;
  });
  const short = paths.filter((path) => path !== null);
  return { found: targets.length > 0, paths: short, more: short.length < begins.length };
}
