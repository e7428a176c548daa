import type { JsonObject } from '../json';
import { statedLicence } from '../licence-expression';
import type { Dependency, ListedDependencies } from '../normalised-sbom';
import { isSamePackage, namePackage, type NamedPackage } from '../package-naming';
import { sourceOfInfo } from '../source-package';
import { describedIds } from './described-root';
import { directIds } from './direct-ids';
import type { SpdxDocument, SpdxPackage } from './spdx-document';

interface ListedPackage {
  spdxPackage: SpdxPackage;
  /** One per purl, at least one. */
  named: [NamedPackage, ...NamedPackage[]];
}

/**
 * Reads the dependencies and the root of a validated SPDX document, unsorted and with duplicates. A
 * package with several purls gives one entry per purl. Source: docs/validation.md P1, P2.
 */
export function readSpdx(document: JsonObject): ListedDependencies {
  const spdx = document as unknown as SpdxDocument;
  const listed = (spdx.packages ?? []).map(listPackage);
  const root = findRoot(listed, describedIds(spdx));
  const parts = listed.filter((entry) => !isSameEntry(entry, root));
  if (parts.length === 0) {
    return { dependencies: listed.flatMap((entry) => dependenciesOf(entry, true)), roots: [] };
  }
  const roots = listed.filter((entry) => isSameEntry(entry, root));
  const rootIds = new Set(roots.map(idOf));
  const partIds = new Set(parts.map(idOf));
  const direct = directIds({ relationships: spdx.relationships ?? [], rootIds, partIds });
  return {
    dependencies: parts.flatMap((entry) =>
      dependenciesOf(entry, direct.size === 0 || direct.has(idOf(entry))),
    ),
    roots: roots.flatMap((entry) => dependenciesOf(entry, true)),
  };
}

/** The described package when it is exactly one, however often it is listed. */
function findRoot(
  listed: readonly ListedPackage[],
  described: ReadonlySet<string>,
): ListedPackage | undefined {
  const candidates = listed.filter((entry) => described.has(idOf(entry)));
  const [first] = candidates;
  return candidates.every((entry) => isSameEntry(entry, first)) ? first : undefined;
}

function isSameEntry(one: ListedPackage, other: ListedPackage | undefined): boolean {
  return other !== undefined && isSamePackage(one.named[0], other.named[0]);
}

function idOf({ spdxPackage }: ListedPackage): string {
  return spdxPackage.SPDXID;
}

function listPackage(spdxPackage: SpdxPackage): ListedPackage {
  const written = { name: spdxPackage.name, version: spdxPackage.versionInfo };
  const [first, ...more] = purlsOf(spdxPackage);
  return {
    spdxPackage,
    named: [
      namePackage({ ...written, purl: first }),
      ...more.map((purl) => namePackage({ ...written, purl })),
    ],
  };
}

/**
 * SPDX 2.3, annex F.3.5. The category is not asked for: it is spelt `PACKAGE-MANAGER` or
 * `PACKAGE_MANAGER`, and a purl is a purl in any. The type may be the full URI of the list of types.
 */
function purlsOf({ externalRefs = [] }: SpdxPackage): string[] {
  const purls = externalRefs
    .filter(({ referenceType: type }) => type === 'purl' || type.endsWith('/references/purl'))
    .map(({ referenceLocator }) => referenceLocator);
  return purls.length > 1 ? [...new Set(purls)] : purls;
}

function dependenciesOf({ spdxPackage, named }: ListedPackage, isDirect: boolean): Dependency[] {
  const { licenseConcluded, licenseDeclared, primaryPackagePurpose: purpose } = spdxPackage;
  const license = statedLicence(licenseConcluded) ?? statedLicence(licenseDeclared);
  const type = purpose === undefined || purpose === '' ? null : purpose.toLowerCase();
  const source = sourceOfInfo(spdxPackage.sourceInfo);
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
