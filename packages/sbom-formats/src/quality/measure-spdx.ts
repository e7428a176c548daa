import { parsePurl } from '@bomtrail/purl';
import { isJsonObject, type JsonObject } from '../json';
import type { SpdxDocument, SpdxPackage } from '../spdx/spdx-document';
import { hasContact, isStated } from './contact';
import {
  countFacts,
  type ComponentElement,
  type QualityFacts,
  type Stated,
} from './quality-elements';

/** Types of external references that identify a package (SPDX 2.3, annex F). */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  'bower',
  'cpe22Type',
  'cpe23Type',
  'gitoid',
  'maven-central',
  'npm',
  'nuget',
  'purl',
  'swh',
  'swid',
]);
/** Relationships by which one package is part of, or needed by, another (SPDX 2.3, clause 11.1). */
const RELATES =
  /^(DEPENDS_ON|CONTAINS|CONTAINED_BY|(\w+_)?DEPENDENCY_OF|\w+_LINK|PREREQUISITE_FOR|HAS_PREREQUISITE)$/;

/** Counts what a validated SPDX 2 document states. It cannot state the properties of files. */
export function measureSpdx(document: JsonObject): QualityFacts {
  const spdx = document as unknown as SpdxDocument;
  const related = new Set<string>();
  for (const { relationshipType, spdxElementId, relatedSpdxElement } of spdx.relationships ?? []) {
    if (!RELATES.test(relationshipType)) continue;
    related.add(spdxElementId);
    related.add(relatedSpdxElement);
  }
  const stated = (spdx.packages ?? []).map((one) => stateOf(one, related));
  const creation = isJsonObject(document.creationInfo) ? document.creationInfo : {};
  const creators = arrayOf(creation.creators).filter(isEntity);
  return countFacts(stated, {
    author: creators.length > 0,
    author_contact: creators.some(hasContact),
    timestamp: isStated(creation.created),
    spec_version: false,
  });
}

type UnvalidatedFields = Partial<
  Record<'checksums' | 'originator' | 'packageFileName' | 'supplier', unknown>
>;

function stateOf(
  one: SpdxPackage & UnvalidatedFields,
  related: ReadonlySet<string>,
): Stated<ComponentElement> {
  const creators = [one.supplier, one.originator].filter(isEntity);
  const references = one.externalRefs ?? [];
  const purls = references.filter(({ referenceType }) => typeOf(referenceType) === 'purl');
  return {
    name: isStated(one.name),
    version:
      isStated(one.versionInfo) ||
      purls.some(({ referenceLocator }) => isStated(parsePurl(referenceLocator)?.version)),
    supplier: creators.length > 0,
    supplier_contact: creators.some(hasContact),
    identifier: references.some(
      ({ referenceType, referenceLocator }) =>
        IDENTIFIERS.has(typeOf(referenceType)) && isStated(referenceLocator),
    ),
    dependencies: related.has(one.SPDXID),
    license: isStated(one.licenseConcluded) || isStated(one.licenseDeclared),
    hash: arrayOf(one.checksums).some(
      (sum) => isJsonObject(sum) && sum.algorithm === 'SHA512' && isStated(sum.checksumValue),
    ),
    filename: isStated(one.packageFileName),
  };
}

/** `Person: …` or `Organization: …`: not a tool, and not NOASSERTION. */
function isEntity(creator: unknown): creator is string {
  return (
    typeof creator === 'string' &&
    /^(Person|Organization):/.test(creator) &&
    isStated(creator.slice(creator.indexOf(':') + 1))
  );
}

function typeOf(referenceType: string): string {
  return referenceType.slice(referenceType.lastIndexOf('/') + 1);
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
