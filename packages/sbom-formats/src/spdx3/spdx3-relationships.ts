import type { JsonObject } from '../json';
import type { ElementIds } from './element-ids';
import { listOf, relationshipWord, textOf } from './terms';

/**
 * Relationships by which an element depends on another, in whatever lifecycle scope. Source: SPDX 3.0.1,
 * Core, RelationshipType; tools write links (spdx-maven-plugin) as well as `dependsOn`.
 */
const DEPENDS: ReadonlySet<string> = new Set([
  'dependsOn',
  'hasDynamicLink',
  'hasOptionalComponent',
  'hasOptionalDependency',
  'hasPrerequisite',
  'hasProvidedDependency',
  'hasStaticLink',
]);

export interface Link {
  from: string;
  to: string;
}

/** What the relationships of a document say, by full ids. */
export interface Spdx3Relations {
  dependencies: Link[];
  contents: Link[];
  descriptions: Link[];
  /** By the element: what stands in `to`, unread. */
  concluded: Map<string, unknown[]>;
  declared: Map<string, unknown[]>;
}

/** @param relationships validated */
export function readRelations(
  relationships: readonly JsonObject[],
  ids: ElementIds,
): Spdx3Relations {
  const relations: Spdx3Relations = {
    dependencies: [],
    contents: [],
    descriptions: [],
    concluded: new Map(),
    declared: new Map(),
  };
  for (const relationship of relationships) {
    const word = relationshipWord(textOf(relationship.relationshipType) ?? '');
    const from = ids.target(relationship.from);
    if (from === undefined) continue;
    const targets = listOf(relationship.to);
    if (word === 'hasConcludedLicense') append(relations.concluded, from, targets);
    if (word === 'hasDeclaredLicense') append(relations.declared, from, targets);
    const links = linksFor(relations, word);
    if (links !== undefined) for (const link of linksOf(from, targets, ids)) links.push(link);
  }
  return relations;
}

function linksFor(relations: Spdx3Relations, word: string): Link[] | undefined {
  if (DEPENDS.has(word)) return relations.dependencies;
  if (word === 'contains') return relations.contents;
  return word === 'describes' ? relations.descriptions : undefined;
}

function* linksOf(from: string, targets: readonly unknown[], ids: ElementIds): Generator<Link> {
  for (const target of targets) {
    const to = ids.target(target);
    if (to !== undefined) yield { from, to };
  }
}

function append(lists: Map<string, unknown[]>, key: string, values: readonly unknown[]): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [...values]);
  else for (const value of values) list.push(value);
}
