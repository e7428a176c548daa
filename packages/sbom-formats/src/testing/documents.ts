import type { JsonObject } from '../json';
import type { Dependency, NormalisedSbom, SbomProblem } from '../normalised-sbom';
import { createSbomReader } from '../read-sbom';

const reader = createSbomReader();
const LIMITS = { maxComponents: 500_000 };

/** A CycloneDX document, valid in every version, with what a test changes in it. */
export function cycloneDx(changes: JsonObject = {}): JsonObject {
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, ...changes };
}

/** A CycloneDX component with all that any version requires. */
export function component(name: string, changes: JsonObject = {}): JsonObject {
  return { type: 'library', name, version: '1.0.0', ...changes };
}

/** An SPDX document with all that the specification requires. */
export function spdx(changes: JsonObject = {}): JsonObject {
  return {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'test',
    dataLicense: 'CC0-1.0',
    documentNamespace: 'https://example.org/test',
    creationInfo: { created: '2024-01-01T00:00:00Z', creators: ['Tool: test'] },
    ...changes,
  };
}

/** An SPDX package with all that the specification requires; its id is made of its name. */
export function spdxPackage(name: string, changes: JsonObject = {}): JsonObject {
  return { SPDXID: `SPDXRef-${name}`, name, downloadLocation: 'NOASSERTION', ...changes };
}

export function purlRef(purl: string, category = 'PACKAGE-MANAGER'): JsonObject {
  return { referenceCategory: category, referenceType: 'purl', referenceLocator: purl };
}

/** `SPDXRef-a DEPENDS_ON SPDXRef-b` as one text. */
export function relationship(text: string): JsonObject {
  const [spdxElementId, relationshipType, relatedSpdxElement] = text.split(' ');
  return { spdxElementId, relationshipType, relatedSpdxElement };
}

export function toBytes(document: unknown): Uint8Array {
  return Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
}

/** The normal form of a document that must be accepted. */
export function accepted(document: unknown): NormalisedSbom {
  const result = reader.read(toBytes(document), LIMITS);
  if (!result.ok) throw new Error(`refused: ${result.code}: ${result.detail}`);
  return result.sbom;
}

/** Why a document is refused that must be refused. */
export function httpError(document: unknown, maxComponents = LIMITS.maxComponents): SbomProblem {
  const bytes = document instanceof Uint8Array ? document : toBytes(document);
  const result = reader.read(bytes, { maxComponents });
  if (result.ok) throw new Error('accepted');
  return { code: result.code, detail: result.detail };
}

/** Names of the direct dependencies, sorted. */
export function directNames(document: unknown): string[] {
  return accepted(document)
    .dependencies.filter(({ is_direct }) => is_direct)
    .map(({ name }) => name);
}

/** The one dependency of a document that has exactly one. */
export function onlyDependency(document: unknown): Dependency {
  const { dependencies } = accepted(document);
  const [first] = dependencies;
  if (first === undefined || dependencies.length !== 1)
    throw new Error(`${dependencies.length} dependencies`);
  return first;
}

const SPDX3_CONTEXT = 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld';

/** An SPDX 3 document of elements, with an `SpdxDocument` whose root is `urn:root`. */
export function spdx3(elements: readonly unknown[], context: unknown = SPDX3_CONTEXT): JsonObject {
  const creationInfo = { type: 'CreationInfo', '@id': '_:info', specVersion: '3.0.1' };
  const document = {
    type: 'SpdxDocument',
    spdxId: 'urn:document',
    creationInfo: '_:info',
    rootElement: ['urn:root'],
  };
  return { '@context': context, '@graph': [creationInfo, document, ...elements] };
}

/** A package of SPDX 3; its id is made of its name. */
export function spdx3Package(name: string, changes: JsonObject = {}): JsonObject {
  return { type: 'software_Package', spdxId: `urn:${name}`, name, ...changes };
}

/** `root dependsOn a b` as one relationship of SPDX 3, of elements with ids made of their names. */
export function spdx3Relationship(text: string, changes: JsonObject = {}): JsonObject {
  const [from = '', relationshipType, ...to] = text.split(' ');
  return {
    type: 'Relationship',
    spdxId: `urn:${text.replaceAll(' ', '/')}`,
    from: `urn:${from}`,
    relationshipType,
    to: to.map((name) => `urn:${name}`),
    ...changes,
  };
}
