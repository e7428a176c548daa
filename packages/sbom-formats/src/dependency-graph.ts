import { walkComponents } from './cyclonedx/component-walk';
import type { CycloneDxComponent, CycloneDxDocument } from './cyclonedx/cyclonedx-document';
import type { JsonObject } from './json';
import { namePackage, type NamedPackage } from './package-naming';
import { describedIds } from './spdx/described-root';
import type { SpdxDocument, SpdxPackage } from './spdx/spdx-document';
import { collectElements } from './spdx3/collect-elements';
import { readContent } from './spdx3/read-spdx3';
import type { Link } from './spdx3/spdx3-relationships';

/** The components of a document and what depends on what, by their ids in the document. */
export interface DependencyGraph {
  /** Several for a package with several purls. */
  nodes: ReadonlyMap<string, readonly NamedPackage[]>;
  roots: ReadonlySet<string>;
  /** Who depends on it, by id. */
  parents: ReadonlyMap<string, readonly string[]>;
  children: ReadonlyMap<string, readonly string[]>;
}

/** Reads the graph of a validated CycloneDX document: `dependencies`, by bom-ref. */
export function cycloneDxGraph(document: JsonObject): DependencyGraph {
  const { metadata, dependencies = [] } = document as CycloneDxDocument;
  const nodes = new Map<string, NamedPackage[]>();
  for (const found of walkComponents(document)) {
    const component = found as unknown as CycloneDxComponent;
    const ref = component['bom-ref'];
    if (ref !== undefined) nodes.set(ref, [namePackage(component)]);
  }
  const root = metadata?.component?.['bom-ref'];
  const edges = dependencies.flatMap(({ ref, dependsOn = [] }) =>
    dependsOn.map((target): Edge => [ref, target]),
  );
  return graphOf(nodes, new Set(root === undefined ? [] : [root]), edges);
}

/**
 * Reads the graph of a validated SPDX 2 document: `DEPENDS_ON` and `DEPENDENCY_OF`; of a root without these,
 * what it `CONTAINS` (docs/validation.md P6).
 */
export function spdxGraph(document: JsonObject): DependencyGraph {
  const spdx = document as unknown as SpdxDocument;
  const nodes = new Map((spdx.packages ?? []).map((one) => [one.SPDXID, namesOf(one)]));
  const roots = new Set([...describedIds(spdx)].filter((id) => nodes.has(id)));
  const edges: Edge[] = [];
  const contents: Edge[] = [];
  for (const { spdxElementId, relatedSpdxElement, relationshipType } of spdx.relationships ?? []) {
    if (relationshipType === 'DEPENDS_ON') edges.push([spdxElementId, relatedSpdxElement]);
    if (relationshipType === 'DEPENDENCY_OF') edges.push([relatedSpdxElement, spdxElementId]);
    if (relationshipType === 'CONTAINS') contents.push([spdxElementId, relatedSpdxElement]);
    if (relationshipType === 'CONTAINED_BY') contents.push([relatedSpdxElement, spdxElementId]);
  }
  const dependsOnSomething = edges.some(([from, to]) => roots.has(from) && nodes.has(to));
  const ofRoots = dependsOnSomething ? [] : contents.filter(([from]) => roots.has(from));
  return graphOf(nodes, roots, [...edges, ...ofRoots]);
}

/**
 * Reads the graph of a validated SPDX 3 document: its dependency relationships; of a root without
 * these, what it `contains`. `contents` has everything that contains something.
 *
 * @throws ExpansionLimitError
 */
export function spdx3Graph(document: JsonObject): DependencyGraph & { contents: readonly Link[] } {
  const { packages, relations, described } = readContent(document, collectElements(document));
  const nodes = new Map<string, NamedPackage[]>();
  for (const { id, named } of packages) nodes.set(id, [...(nodes.get(id) ?? []), ...named]);
  const roots = new Set([...described].filter((id) => nodes.has(id)));
  const edges = relations.dependencies.map(({ from, to }): Edge => [from, to]);
  const dependsOnSomething = edges.some(([from, to]) => roots.has(from) && nodes.has(to));
  const contents = dependsOnSomething ? [] : relations.contents;
  const ofRoots = contents.filter(({ from }) => roots.has(from));
  const graph = graphOf(nodes, roots, [
    ...edges,
    ...ofRoots.map(({ from, to }): Edge => [from, to]),
  ]);
  return { ...graph, contents: relations.contents };
}

type Edge = readonly [from: string, to: string];

function graphOf(
  nodes: ReadonlyMap<string, NamedPackage[]>,
  roots: ReadonlySet<string>,
  edges: readonly Edge[],
): DependencyGraph {
  const parents = new Map<string, string[]>();
  const children = new Map<string, string[]>();
  for (const [from, to] of edges) {
    add(parents, to, from);
    add(children, from, to);
  }
  return { nodes, roots, parents, children };
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function namesOf({ name, versionInfo, externalRefs = [] }: SpdxPackage): NamedPackage[] {
  const purls = externalRefs
    .filter(({ referenceType: type }) => type === 'purl' || type.endsWith('/references/purl'))
    .map(({ referenceLocator }) => referenceLocator);
  const written = { name, version: versionInfo };
  return purls.length === 0
    ? [namePackage(written)]
    : purls.map((purl) => namePackage({ ...written, purl }));
}
