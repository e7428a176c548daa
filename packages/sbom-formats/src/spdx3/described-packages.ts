import type { JsonObject } from '../json';
import type { ElementIds } from './element-ids';
import type { Link } from './spdx3-relationships';
import { listOf, typesOf } from './terms';

/** Id that SPDX 2 gives to documents; Microsoft's sbom-tool refers to it in SPDX 3 too. */
const SPDX2_DOCUMENT = 'SPDXRef-DOCUMENT';

export interface Descriptions {
  collections: readonly JsonObject[];
  descriptions: readonly Link[];
  ids: ElementIds;
}

/**
 * Ids of what a document is about: the root elements of the `SpdxDocument`, through collections down to
 * elements that are none, and what document or collection `describes`. Without a document it is what the
 * collections are about.
 */
export function describedElements({ collections, descriptions, ids }: Descriptions): Set<string> {
  const members = new Map<string, string[]>();
  const documents: string[] = [];
  for (const collection of collections) {
    const id = ids.idOf(collection) ?? `\u0000${members.size}`;
    const roots = listOf(collection.rootElement).flatMap((root) => ids.target(root) ?? []);
    addAll(members, id, roots);
    if (typesOf(collection).includes('SpdxDocument')) documents.push(id);
  }
  for (const { from, to } of descriptions)
    if (members.has(from) || from === SPDX2_DOCUMENT) addAll(members, from, [to]);
  if (members.has(SPDX2_DOCUMENT)) documents.push(SPDX2_DOCUMENT);

  const rest = documents.length > 0 ? documents : [...members.keys()];
  const reached = new Set(rest);
  const described = new Set<string>();
  for (const id of rest) {
    const inside = members.get(id);
    if (inside === undefined) described.add(id);
    for (const next of inside ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        rest.push(next);
      }
  }
  return described;
}

function addAll(members: Map<string, string[]>, id: string, more: readonly string[]): void {
  const list = members.get(id);
  if (list === undefined) members.set(id, [...more]);
  else for (const one of more) list.push(one);
}
