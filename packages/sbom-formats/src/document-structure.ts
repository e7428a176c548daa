import { walkComponents } from './cyclonedx/component-walk';
import type { CycloneDxComponent, CycloneDxDocument } from './cyclonedx/cyclonedx-document';
import { decodeDocument } from './decode-document';
import { cycloneDxGraph, spdx3Graph, spdxGraph, type DependencyGraph } from './dependency-graph';
import type { JsonObject } from './json';
import { isSamePackage, namePackage, type NamedPackage } from './package-naming';
import { recogniseFormat } from './recognise-format';
import type { SpdxDocument } from './spdx/spdx-document';

/** What a document contains and what is inside of what: by dependencies and by containment. */
export interface DocumentStructure {
  /** CycloneDX: the UUID of `serialNumber`, lower case. */
  serial: string | null;
  /** CycloneDX: `version`, 1 by default. */
  version: number | null;
  /** By id in the document (components without one have a made-up one); the roots included. */
  packages: ReadonlyMap<string, readonly NamedPackage[]>;
  /** The package that the document is about, however often it is listed. Empty: none, or it describes several. */
  roots: ReadonlySet<string>;
  /** What depends on it or is contained in it. */
  children: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Reads the structure of a document that was read before.
 *
 * @throws Error if the bytes are no supported document
 */
export function readDocumentStructure(bytes: Uint8Array): DocumentStructure {
  const decoded = decodeDocument(bytes);
  const recognition = decoded.ok ? recogniseFormat(decoded.json) : decoded;
  if (!recognition.ok) throw new Error(recognition.problem.detail);
  const { specification, document } = recognition.recognised;
  if (specification.format === 'cyclonedx') return ofCycloneDx(document);
  return specification.specVersion.startsWith('3') ? ofSpdx3(document) : ofSpdx2(document);
}

/** Id of a root without `bom-ref`. */
const ROOT = 'bomtrail:root';

function ofCycloneDx(json: JsonObject): DocumentStructure {
  const document = json as CycloneDxDocument & { serialNumber?: unknown; version?: unknown };
  const root = document.metadata?.component;
  const rootId = root?.['bom-ref'] ?? ROOT;
  const packages = new Map<string, NamedPackage[]>();
  const ids = new Map<object, string>();
  let unnamed = 0;
  for (const found of walkComponents(json)) {
    const component = found as unknown as CycloneDxComponent;
    const id = component['bom-ref'] ?? `bomtrail:${(unnamed += 1)}`;
    ids.set(component, id);
    packages.set(id, [...(packages.get(id) ?? []), namePackage(component)]);
  }
  if (root) {
    ids.set(root, rootId);
    packages.set(rootId, [namePackage(root)]);
  }
  const children = childrenOf(cycloneDxGraph(json).children);
  for (const [component, id] of ids) {
    const parts = (component as CycloneDxComponent).components ?? [];
    for (const part of parts) addChild(children, id, ids.get(part));
  }
  const serial = /^urn:uuid:(.{36})$/i.exec(String(document.serialNumber))?.[1];
  return {
    serial: serial?.toLowerCase() ?? null,
    version: typeof document.version === 'number' ? document.version : 1,
    packages,
    roots: new Set(root ? [rootId] : []),
    children,
  };
}

function ofSpdx2(json: JsonObject): DocumentStructure {
  const graph = spdxGraph(json);
  const children = childrenOf(graph.children);
  for (const one of (json as unknown as SpdxDocument).relationships ?? []) {
    const { spdxElementId: from, relatedSpdxElement: to, relationshipType: type } = one;
    if (type === 'CONTAINS') addChild(children, from, to);
    if (type === 'CONTAINED_BY') addChild(children, to, from);
  }
  return { serial: null, version: null, packages: graph.nodes, roots: rootsOf(graph), children };
}

function ofSpdx3(json: JsonObject): DocumentStructure {
  const graph = spdx3Graph(json);
  const children = childrenOf(graph.children);
  for (const { from, to } of graph.contents) addChild(children, from, to);
  return { serial: null, version: null, packages: graph.nodes, roots: rootsOf(graph), children };
}

/** The described package when it is exactly one, as `findRoot` of the readers has it. */
function rootsOf({ nodes, roots }: DependencyGraph): ReadonlySet<string> {
  const [first, ...others] = [...roots].flatMap((id) => nodes.get(id)?.slice(0, 1) ?? []);
  return first && others.every((one) => isSamePackage(one, first)) ? roots : new Set();
}

function childrenOf(edges: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  return new Map([...edges].map(([from, to]) => [from, new Set(to)]));
}

function addChild(children: Map<string, Set<string>>, from: string, to: string | undefined): void {
  if (to === undefined) return;
  const known = children.get(from);
  if (known) known.add(to);
  else children.set(from, new Set([to]));
}
