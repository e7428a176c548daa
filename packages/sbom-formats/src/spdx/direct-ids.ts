import type { SpdxRelationship } from './spdx-document';

export interface SpdxGraph {
  relationships: readonly SpdxRelationship[];
  rootIds: ReadonlySet<string>;
  /** Packages other than the root; other elements (files, NONE, other documents) are ignored. */
  partIds: ReadonlySet<string>;
}

/**
 * Ids of the packages that the root depends on: its DEPENDS_ON and the DEPENDENCY_OF it, or without
 * these what it CONTAINS. Empty when the graph has none. Source: docs/validation.md P6.
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
