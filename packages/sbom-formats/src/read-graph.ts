import { packageIdentity, parsePurl } from '@bomtrail/purl';
import { cycloneDxGraph, spdx3Graph, spdxGraph, type DependencyGraph } from './dependency-graph';
import { decodeDocument } from './decode-document';
import { recogniseFormat, type RecognisedDocument } from './recognise-format';

/**
 * Reads the graph of a document that was read before.
 *
 * @throws Error if the bytes are no supported document
 */
export function readGraph(bytes: Uint8Array): DependencyGraph {
  const decoded = decodeDocument(bytes);
  const recognition = decoded.ok ? recogniseFormat(decoded.json) : decoded;
  if (!recognition.ok) throw new Error(recognition.problem.detail);
  return graphIn(recognition.recognised);
}

function graphIn({ specification, document }: RecognisedDocument): DependencyGraph {
  if (specification.format === 'cyclonedx') return cycloneDxGraph(document);
  return specification.specVersion.startsWith('3') ? spdx3Graph(document) : spdxGraph(document);
}

/** Ids of what the roots depend on; empty: the graph lists nothing for them. */
export function directIn(graph: DependencyGraph): Set<string> {
  const direct = [...graph.roots].flatMap((root) => graph.children.get(root) ?? []);
  return new Set(direct.filter((id) => graph.nodes.has(id)));
}

/** Package and version of a purl, however it is written. */
export function purlKey(text: string): string {
  const purl = parsePurl(text);
  return purl ? versionKey(text, purl.version ?? '') : text;
}

/** The same for another version of the package. */
export function versionKey(text: string, version: string): string {
  const purl = parsePurl(text);
  return purl ? `${packageIdentity(purl)}@${version}` : text;
}
