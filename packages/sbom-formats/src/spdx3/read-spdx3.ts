import { parsePurl } from '@bomtrail/purl';
import { isJsonObject, type JsonObject } from '../json';
import type { Dependency, ListedDependencies } from '../normalised-sbom';
import { isSamePackage, namePackage, type NamedPackage } from '../package-naming';
import { sourceOfInfo } from '../source-package';
import type { Spdx3Elements } from './collect-elements';
import { describedElements } from './described-packages';
import { elementIds, type ElementIds } from './element-ids';
import { startExpansion, type Expansion } from './expansion-limit';
import { licenceTexts } from './licence-texts';
import { readRelations, type Link, type Spdx3Relations } from './spdx3-relationships';
import { listOf, localName, textOf } from './terms';

/** The packages of a document and what connects them, by full ids. */
export interface Spdx3Content {
  packages: Spdx3Package[];
  relations: Spdx3Relations;
  /** Ids of what the document is about, packages or others. */
  described: ReadonlySet<string>;
  ids: ElementIds;
  expansion: Expansion;
}

export interface Spdx3Package {
  id: string;
  element: JsonObject;
  /** One per purl, at least one. */
  named: [NamedPackage, ...NamedPackage[]];
}

/**
 * Resolves the references of a validated document.
 *
 * @throws ExpansionLimitError
 */
export function readContent(document: JsonObject, elements: Spdx3Elements): Spdx3Content {
  const expansion = startExpansion();
  const ids = elementIds(document, expansion);
  const identifiers = new Map<string, JsonObject>();
  for (const element of elements.others) {
    const id = element.identifier === undefined ? undefined : ids.idOf(element);
    if (id !== undefined) identifiers.set(id, element);
  }
  const purls = purlReader({ ids, identifiers, expansion });
  const relations = readRelations(elements.relationships, ids);
  const { collections } = elements;
  return {
    packages: elements.packages.map((element) => listPackage(element, { ids, purls })),
    relations,
    described: describedElements({ collections, descriptions: relations.descriptions, ids }),
    ids,
    expansion,
  };
}

/**
 * Reads the dependencies and the root of a validated SPDX 3 document, unsorted and with duplicates. A
 * package with several purls gives one entry per purl. Source: docs/validation.md P1, P2, P5, P6.
 *
 * @throws ExpansionLimitError
 */
export function readSpdx3(elements: Spdx3Elements, content: Spdx3Content): ListedDependencies {
  const { packages, relations, described, ids, expansion } = content;
  const licenceText = licenceTexts(elements.others, ids);
  const licences = new Map<string, string | null>();
  const licenceOf = (id: string): string | null => {
    const known = licences.get(id);
    if (known !== undefined) return known;
    const concluded = licenceText(relations.concluded.get(id) ?? []);
    const licence = concluded ?? licenceText(relations.declared.get(id) ?? []);
    licences.set(id, licence);
    return licence;
  };
  const entriesOf = (one: Spdx3Package, isDirect: boolean): Dependency[] => {
    const licence = licenceOf(one.id);
    expansion.add((licence?.length ?? 0) * one.named.length);
    return dependenciesOf(one, licence, isDirect);
  };

  const root = findRoot(packages, described);
  const parts = packages.filter((one) => !isSameEntry(one, root));
  if (parts.length === 0)
    return { dependencies: packages.flatMap((one) => entriesOf(one, true)), roots: [] };
  const roots = packages.filter((one) => isSameEntry(one, root));
  const direct = directIds(relations, { roots, parts });
  return {
    dependencies: parts.flatMap((one) => entriesOf(one, direct.size === 0 || direct.has(one.id))),
    roots: roots.flatMap((one) => entriesOf(one, true)),
  };
}

/** The described package when it is exactly one, however often it is listed. */
function findRoot(
  packages: readonly Spdx3Package[],
  described: ReadonlySet<string>,
): Spdx3Package | undefined {
  const candidates = packages.filter(({ id }) => described.has(id));
  const [first] = candidates;
  return candidates.every((one) => isSameEntry(one, first)) ? first : undefined;
}

function isSameEntry(one: Spdx3Package, other: Spdx3Package | undefined): boolean {
  return other !== undefined && isSamePackage(one.named[0], other.named[0]);
}

/** What a root depends on, or without dependencies what it contains (docs/validation.md P6). */
function directIds(
  { dependencies, contents }: Spdx3Relations,
  of: { roots: readonly Spdx3Package[]; parts: readonly Spdx3Package[] },
): Set<string> {
  const rootIds = new Set(of.roots.map(({ id }) => id));
  const partIds = new Set(of.parts.map(({ id }) => id));
  const reached = (links: readonly Link[]): Set<string> =>
    new Set(
      links.filter(({ from, to }) => rootIds.has(from) && partIds.has(to)).map(({ to }) => to),
    );
  const direct = reached(dependencies);
  return direct.size > 0 ? direct : reached(contents);
}

function listPackage(
  element: JsonObject,
  { ids, purls }: { ids: ElementIds; purls: (element: JsonObject) => string[] },
): Spdx3Package {
  const written = {
    name: textOf(element.name) ?? '',
    version: textOf(element.software_packageVersion),
  };
  const [first, ...more] = purls(element);
  return {
    id: ids.idOf(element) ?? '',
    element,
    named: [
      namePackage({ ...written, purl: first }),
      ...more.map((purl) => namePackage({ ...written, purl })),
    ],
  };
}

/**
 * Purls of a package, each once, however often and wherever it is written: in `software_packageUrl`, and in
 * external identifiers of the type `packageUrl`, or `purl` as Microsoft's sbom-tool writes, which stand
 * inline or are named by id.
 */
function purlReader(of: {
  ids: ElementIds;
  identifiers: ReadonlyMap<string, JsonObject>;
  expansion: Expansion;
}): (element: JsonObject) => string[] {
  const identifierOf = (reference: unknown): JsonObject | undefined => {
    if (isJsonObject(reference) && reference.identifier !== undefined) return reference;
    return of.identifiers.get(of.ids.target(reference) ?? '');
  };
  return (element) => {
    const purls = [textOf(element.software_packageUrl) ?? ''];
    for (const reference of listOf(element.externalIdentifier)) {
      const identifier = identifierOf(reference);
      const type = localName(textOf(identifier?.externalIdentifierType) ?? '').toLowerCase();
      if (type !== 'packageurl' && type !== 'purl') continue;
      const purl = textOf(identifier?.identifier) ?? '';
      if (identifier !== reference) of.expansion.add(purl.length);
      purls.push(purl);
    }
    return distinct(purls.filter((purl) => purl.trim() !== ''));
  };
}

function distinct(purls: string[]): string[] {
  if (purls.length <= 1) return purls;
  const byMeaning = new Map<string, string>();
  for (const purl of purls) {
    const meaning = sameness(purl);
    if (!byMeaning.has(meaning)) byMeaning.set(meaning, purl);
  }
  return [...byMeaning.values()];
}

/** Two ways to write one purl, such as `@scope` and `%40scope`, count once. */
function sameness(purl: string): string {
  const parsed = parsePurl(purl);
  return parsed === null ? purl : JSON.stringify(parsed);
}

function dependenciesOf(
  { element, named }: Spdx3Package,
  license: string | null,
  isDirect: boolean,
): Dependency[] {
  const source = sourceOfInfo(element.software_sourceInfo);
  const type = purposeOf(element);
  return named.map(({ name, version, purl }) => ({
    name,
    version,
    purl,
    type,
    license,
    is_direct: isDirect,
    ...(source === null ? {} : { source_package: source }),
  }));
}

/** `operatingSystem` becomes `operating-system`, as in SPDX 2 and CycloneDX. */
function purposeOf({ software_primaryPurpose: purpose }: JsonObject): string | null {
  const word = localName(textOf(purpose) ?? '');
  return word === '' ? null : word.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();
}
