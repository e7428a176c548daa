import type { SpdxRelationship } from './spdx-document';

/** SPDX 2.3, clause 11.1: they stand for "no element" where an element's id is expected. */
const NO_ELEMENT: ReadonlySet<string> = new Set(['NONE', 'NOASSERTION']);

/**
 * The ids of what the root depends on by the document's own graph: its DEPENDS_ON and the
 * DEPENDENCY_OF it, or where it has none of these what it CONTAINS. Empty when the graph lists
 * nothing for the root. Source: `decisions.md` "Dependencies".
 */
export function directIds(
  relationships: readonly SpdxRelationship[],
  rootIds: ReadonlySet<string>,
): Set<string> {
  const dependencies = new Set<string>();
  const contents = new Set<string>();
  for (const { spdxElementId: from, relatedSpdxElement: to, relationshipType } of relationships) {
    const [parent, child] = inverse(relationshipType) ? [to, from] : [from, to];
    if (!rootIds.has(parent) || rootIds.has(child) || NO_ELEMENT.has(child)) continue;
    if (relationshipType === 'DEPENDS_ON' || relationshipType === 'DEPENDENCY_OF')
      dependencies.add(child);
    if (relationshipType === 'CONTAINS' || relationshipType === 'CONTAINED_BY') contents.add(child);
  }
  return dependencies.size > 0 ? dependencies : contents;
}

function inverse(relationshipType: string): boolean {
  return relationshipType === 'DEPENDENCY_OF' || relationshipType === 'CONTAINED_BY';
}
