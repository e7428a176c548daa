import { walkComponents } from '../cyclonedx/component-walk';
import { isJsonObject, type JsonObject } from '../json';
import { hasContact, isStated } from './contact';
import {
  countFacts,
  type ComponentElement,
  type DocumentElement,
  type QualityFacts,
  type Stated,
} from './quality-elements';

/** Properties of components by the taxonomy that the BSI defines for CycloneDX. */
const FILENAME = 'bsi:component:filename';
const FILE_PROPERTIES = ['executable', 'archive', 'structured'].map(
  (name) => `bsi:component:${name}`,
);

/** Counts what a validated CycloneDX document states. Fields of newer versions are read in all. */
export function measureCycloneDx(document: JsonObject, specVersion: string): QualityFacts {
  const metadata = objectOf(document.metadata);
  const refs = relatedRefs(document.dependencies);
  const root = isJsonObject(metadata.component) ? metadata.component : null;
  const stated = root === null ? [] : [stateOf(root, { refs, creators: [metadata.supplier] })];
  for (const component of walkComponents(document)) stated.push(stateOf(component, { refs }));
  return countFacts(stated, documentStates(metadata, specVersion));
}

function documentStates(metadata: JsonObject, specVersion: string): Stated<DocumentElement> {
  const authors = [...listOf(metadata.authors), metadata.manufacturer, metadata.manufacture];
  const [major = 0, minor = 0] = specVersion.split('.').map(Number);
  return {
    author: authors.some(isNamed),
    author_contact: authors.some(isReachable),
    timestamp: isStated(metadata.timestamp),
    spec_version: major > 1 || (major === 1 && minor >= 6),
  };
}

function stateOf(
  component: JsonObject,
  { refs, creators: more = [] }: { refs: ReadonlySet<unknown>; creators?: unknown[] },
): Stated<ComponentElement> {
  const creators = [
    component.supplier,
    component.manufacturer,
    ...listOf(component.authors),
    component.author,
    component.publisher,
    ...more,
  ];
  const properties = propertiesOf(component);
  return {
    name: isStated(component.name),
    version: isStated(component.version) || hasPurlVersion(component.purl),
    supplier: creators.some(isNamed),
    supplier_contact: creators.some(isReachable),
    identifier: hasIdentifier(component),
    dependencies: component['bom-ref'] !== undefined && refs.has(component['bom-ref']),
    license: listOf(component.licenses).some(isLicence),
    hash: hasSha512(component),
    filename: properties.has(FILENAME),
    file_properties: FILE_PROPERTIES.every((name) => properties.has(name)),
  };
}

/** Components of which the graph says what they need, even if that is nothing, or what needs them. */
function relatedRefs(dependencies: unknown): Set<unknown> {
  const refs = new Set<unknown>();
  for (const entry of listOf(dependencies)) {
    if (!isJsonObject(entry)) continue;
    refs.add(entry.ref);
    for (const target of listOf(entry.dependsOn)) refs.add(target);
  }
  return refs;
}

function hasPurlVersion(purl: unknown): boolean {
  return typeof purl === 'string' && purl.lastIndexOf('@') > purl.lastIndexOf('/');
}

function hasIdentifier(component: JsonObject): boolean {
  const { purl, cpe, swid, omniborId, swhid } = component;
  const others = [...listOf(omniborId), ...listOf(swhid)];
  return isStated(purl) || isStated(cpe) || isJsonObject(swid) || others.some(isStated);
}

function isLicence(entry: unknown): boolean {
  if (!isJsonObject(entry)) return false;
  const { id, name } = objectOf(entry.license);
  return [entry.expression, id, name].some(isStated);
}

/** Of the component, or of the file that is distributed. */
function hasSha512({ hashes, externalReferences }: JsonObject): boolean {
  if (listOf(hashes).some(isSha512)) return true;
  return listOf(externalReferences).some(
    (reference) =>
      isJsonObject(reference) &&
      (reference.type === 'distribution' || reference.type === 'distribution-intake') &&
      listOf(reference.hashes).some(isSha512),
  );
}

function isSha512(hash: unknown): boolean {
  return isJsonObject(hash) && hash.alg === 'SHA-512' && isStated(hash.content);
}

/** Names of the properties that have a value. */
function propertiesOf({ properties }: JsonObject): ReadonlySet<unknown> {
  if (properties === undefined) return NO_PROPERTIES;
  const names = new Set<unknown>();
  for (const property of listOf(properties))
    if (isJsonObject(property) && isStated(property.value)) names.add(property.name);
  return names;
}

const NO_PROPERTIES: ReadonlySet<unknown> = new Set();

/** A person or organisation, or its name as a text. */
function isNamed(creator: unknown): boolean {
  if (!isJsonObject(creator)) return isStated(creator);
  return (
    isStated(creator.name) || listOf(creator.contact).some((one) => isStated(objectOf(one).name))
  );
}

function isReachable(creator: unknown): boolean {
  if (!isJsonObject(creator)) return hasContact(creator);
  const texts = [creator.email, creator.name, ...listOf(creator.url)];
  const emails = listOf(creator.contact).map((one) => objectOf(one).email);
  return [...texts, ...emails].some(hasContact);
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return value === undefined ? [] : [value];
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
