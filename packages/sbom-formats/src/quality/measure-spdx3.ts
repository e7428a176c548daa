import { isJsonObject, type JsonObject } from '../json';
import type { Spdx3Elements } from '../spdx3/collect-elements';
import type { Spdx3Content, Spdx3Package } from '../spdx3/read-spdx3';
import { listOf, localName, relationshipWord, textOf, typesOf } from '../spdx3/terms';
import { hasContact, isStated } from './contact';
import {
  countFacts,
  type ComponentElement,
  type DocumentElement,
  type QualityFacts,
  type Stated,
} from './quality-elements';

/** Purposes of a file by which it is, or is not, executable, an archive, structured. */
const FILE_PURPOSES: ReadonlySet<string> = new Set([
  'executable',
  'archive',
  'container',
  'firmware',
]);

/** Reads the parts of a document that are not needed elsewhere. */
interface Reading {
  content: Spdx3Content;
  agents: ReadonlyMap<string, JsonObject>;
  related: ReadonlySet<string>;
  /** The files that a package is distributed as, by its id. */
  files: ReadonlyMap<string, JsonObject[]>;
}

/**
 * Counts what a validated SPDX 3 document states. Fields of the deployable component are read from the package
 * and from the files that it has as distribution artefacts.
 *
 * @throws ExpansionLimitError
 */
export function measureSpdx3(
  document: JsonObject,
  elements: Spdx3Elements,
  content: Spdx3Content,
): QualityFacts {
  const { ids, relations } = content;
  const agents = new Map<string, JsonObject>();
  for (const element of elements.others) agents.set(ids.idOf(element) ?? '', element);
  const related = new Set<string>();
  for (const links of [relations.dependencies, relations.contents])
    for (const { from, to } of links) related.add(from).add(to);
  const reading = {
    content,
    agents,
    related,
    files: distributedFiles(document, elements, content),
  };
  const stated = content.packages.map((one) => stateOf(one, reading));
  return countFacts(stated, documentStates(elements, reading));
}

function documentStates(elements: Spdx3Elements, reading: Reading): Stated<DocumentElement> {
  const main =
    elements.collections.find((one) => typesOf(one).includes('SpdxDocument')) ??
    elements.collections[0];
  const stated = listOf(main?.creationInfo)[0];
  const creation = isJsonObject(stated)
    ? stated
    : (reading.agents.get(reading.content.ids.target(stated) ?? '') ??
      elements.others.find((one) => typesOf(one).includes('CreationInfo')));
  const authors = listOf(creation?.createdBy);
  return {
    author: authors.some((agent) => isNamed(agent, reading)),
    author_contact: authors.some((agent) => isReachable(agent, reading)),
    timestamp: isStated(creation?.created),
    spec_version: true,
  };
}

function stateOf({ id, element, named }: Spdx3Package, reading: Reading): Stated<ComponentElement> {
  const { relations } = reading.content;
  const creators = [...listOf(element.suppliedBy), ...listOf(element.originatedBy)];
  const files = reading.files.get(id) ?? [];
  const licences = [...(relations.concluded.get(id) ?? []), ...(relations.declared.get(id) ?? [])];
  return {
    name: isStated(element.name),
    version: isStated(element.software_packageVersion) || named[0].version !== '',
    supplier: creators.some((agent) => isNamed(agent, reading)),
    supplier_contact: creators.some((agent) => isReachable(agent, reading)),
    identifier: named[0].purl !== null || listOf(element.externalIdentifier).length > 0,
    dependencies: reading.related.has(id),
    license: licences.some((licence) => !saysNothing(licence)),
    hash: [element, ...files].some(hasSha512),
    filename: files.some(({ name }) => isStated(name)),
    file_properties: files.some(hasPurposes),
  };
}

function isNamed(reference: unknown, reading: Reading): boolean {
  const agent = agentOf(reference, reading);
  if (agent === undefined) return false;
  return isStated(agent.name) || listOf(agent.externalIdentifier).length > 0;
}

function isReachable(reference: unknown, reading: Reading): boolean {
  const agent = agentOf(reference, reading);
  const identifiers = listOf(agent?.externalIdentifier).filter(isJsonObject);
  const texts = identifiers.flatMap(({ identifier, identifierLocator }) => [
    identifier,
    ...listOf(identifierLocator),
  ]);
  return [agent?.name, ...texts].some(hasContact);
}

/** A person, organisation or unspecified agent; a tool is none. */
function agentOf(reference: unknown, { content, agents }: Reading): JsonObject | undefined {
  const agent = isJsonObject(reference)
    ? reference
    : agents.get(content.ids.target(reference) ?? '');
  const types = agent === undefined ? [] : typesOf(agent);
  return types.some((type) => type === 'Tool' || type === 'SoftwareAgent') ? undefined : agent;
}

function saysNothing(reference: unknown): boolean {
  return /^no(ne|assertion)/i.test(localName(textOf(reference) ?? ''));
}

function hasSha512(element: JsonObject): boolean {
  return listOf(element.verifiedUsing).some(
    (hash) => isJsonObject(hash) && localName(textOf(hash.algorithm) ?? '') === 'sha512',
  );
}

function hasPurposes(file: JsonObject): boolean {
  return [...listOf(file.software_additionalPurpose), file.software_primaryPurpose].some(
    (purpose) => FILE_PURPOSES.has(localName(textOf(purpose) ?? '')),
  );
}

function distributedFiles(
  document: JsonObject,
  { relationships }: Spdx3Elements,
  { ids }: Spdx3Content,
): Map<string, JsonObject[]> {
  const packagesOf = new Map<string, string[]>();
  for (const relationship of relationships) {
    const word = relationshipWord(textOf(relationship.relationshipType) ?? '');
    const from = word === 'hasDistributionArtifact' ? ids.target(relationship.from) : undefined;
    if (from === undefined) continue;
    for (const to of listOf(relationship.to)) {
      const file = ids.target(to);
      if (file !== undefined) append(packagesOf, file, from);
    }
  }
  const files = new Map<string, JsonObject[]>();
  if (packagesOf.size === 0) return files;
  for (const element of listOf(document['@graph'])) {
    if (!isJsonObject(element) || !typesOf(element).includes('File')) continue;
    for (const id of packagesOf.get(ids.idOf(element) ?? '') ?? []) append(files, id, element);
  }
  return files;
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
