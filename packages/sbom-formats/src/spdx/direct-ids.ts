import type { SpdxRelationship } from './spdx-document';

export interface SpdxGraph {
  relationships: readonly SpdxRelationship[];
  rootIds: ReadonlySet<string>;
  /** The packages besides the root; other elements (files, NONE, other documents) do not count. */
  partIds: ReadonlySet<string>;
}

/**
 * The ids of the packages that the root depends on by the document's own graph: its DEPENDS_ON and
 * the DEPENDENCY_OF it, or where it has none of these what it CONTAINS. Empty when the graph lists
 * no package for the root. Source: docs/validation.md P6.
 */
export function directIds({ relationships, rootIds, partIds }: SpdxGraph): Set<string> {
  const dependencies = new Set<string>();
  const contents = new Set<string>();
  for (const { spdxElementId: from, relatedSpdxElement: to, relationshipType } of relationships) {
    const [parent, child] = inverse(relationshipType) ? [to, from] : [from, to];
    if (!rootIds.has(parent) || !partIds.has(child)) continue;
    if (relationshipType === 'DEPENDS_ON' || relationshipType === 'DEPENDENCY_OF')
      dependencies.add(child);
    if (relationshipType === 'CONTAINS' || relationshipType === 'CONTAINED_BY') contents.add(child);
  }
  return dependencies.size > 0 ? dependencies : contents;
}

function inverse(relationshipType: string): boolean {
  return relationshipType === 'DEPENDENCY_OF' || relationshipType === 'CONTAINED_BY';
}
