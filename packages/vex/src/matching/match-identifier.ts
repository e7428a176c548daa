import { findingPackageKeyOf } from '@bomtrail/osv';
import { packageIdentity, parsePurl, type PackageUrl } from '@bomtrail/purl';
import type { DocumentStructure, NamedPackage } from '@bomtrail/sbom-formats';
import type { Identifier } from '../vex-document';

/** How near an identifier comes to something of a document: the higher, the nearer. */
export type Nearness = 'unsupported' | 'absent' | 'other_version' | 'found';
export const nearer: Readonly<Record<Nearness, number>> = {
  unsupported: 0,
  absent: 1,
  other_version: 2,
  found: 3,
};

/** The ids of a document's packages that some identifiers name. `whole`: the document itself. */
export interface Named {
  ids: Set<string>;
  whole: boolean;
  nearness: Nearness;
}

/** Packages of a document by identity, so that thousands of identifiers are looked up quickly. */
export interface PackageIndex {
  structure: DocumentStructure;
  /** Go packages by that of their module, too. */
  byIdentity: ReadonlyMap<string, readonly IndexedPackage[]>;
  /** By `tracked`. */
  byTracked: ReadonlyMap<string, readonly IndexedPackage[]>;
  /** Those of a component: of a package with several purls, several. */
  packagesOf: ReadonlyMap<string, readonly IndexedPackage[]>;
  parents: ReadonlyMap<string, readonly string[]>;
}

export interface IndexedPackage {
  id: string;
  identity: string;
  /** Key of the package that its findings are of; null: it can have none. */
  package_key: string | null;
  /** What is tracked as one package: the key, else the identity. */
  tracked: string;
  /** The component's version, else that of the purl. */
  version: string;
  purl: PackageUrl;
}

export function indexPackages(structure: DocumentStructure): PackageIndex {
  const byIdentity = new Map<string, IndexedPackage[]>();
  const byTracked = new Map<string, IndexedPackage[]>();
  const packagesOf = new Map<string, IndexedPackage[]>();
  const parents = new Map<string, string[]>();
  for (const [id, named] of structure.packages)
    for (const one of named) {
      const indexed = indexedPackage(id, one);
      if (indexed === null) continue;
      for (const identity of identitiesOf(indexed)) add(byIdentity, identity, indexed);
      add(byTracked, indexed.tracked, indexed);
      add(packagesOf, id, indexed);
    }
  for (const [parent, children] of structure.children)
    for (const child of children) add(parents, child, parent);
  return { structure, byIdentity, byTracked, packagesOf, parents };
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function indexedPackage(id: string, { purl, version }: NamedPackage): IndexedPackage | null {
  const parsed = purl === null ? null : parsePurl(purl);
  if (parsed === null) return null;
  const identity = packageIdentity(parsed);
  const package_key = findingPackageKeyOf({ purl, version });
  return { id, identity, package_key, tracked: package_key ?? identity, version, purl: parsed };
}

/** What is said about a Go module is said about its packages, which are tracked by it (M46). */
function identitiesOf({ identity, package_key, purl }: IndexedPackage): Set<string> {
  const [ecosystem, name = ''] = package_key?.split('|') ?? [];
  if (ecosystem !== 'Go') return new Set([identity]);
  return new Set([identity, packageIdentity({ ...purl, namespace: null, name })]);
}

/** What alternatives name in a document; the nearest of them counts. */
export function findNamed(index: PackageIndex, identifiers: readonly Identifier[]): Named {
  const found: Named = { ids: new Set(), whole: false, nearness: 'unsupported' };
  for (const identifier of identifiers) {
    const one = findOne(index, identifier);
    for (const id of one.ids) found.ids.add(id);
    found.whole ||= one.whole;
    if (nearer[one.nearness] > nearer[found.nearness]) found.nearness = one.nearness;
  }
  return found;
}

function findOne(index: PackageIndex, identifier: Identifier): Named {
  if (identifier.kind === 'purl') return findPurl(index, identifier);
  if (identifier.kind === 'bom') return findBom(index, identifier);
  return named('unsupported');
}

/**
 * VX2 A purl names every package with the same type, namespace and name, and with the version, qualifiers and subpath
 * that it states. What it leaves out is not compared. VX4 Versions limit it.
 */
function findPurl(index: PackageIndex, { value, versions }: Identifier & { kind: 'purl' }): Named {
  const purl = parsePurl(value);
  const candidates = purl === null ? [] : (index.byIdentity.get(packageIdentity(purl)) ?? []);
  if (purl === null || candidates.length === 0) return named('absent');
  const ids = candidates.filter((one) => isNamedBy(purl, one, versions)).map(({ id }) => id);
  return ids.length === 0 ? named('other_version') : named('found', ids);
}

function isNamedBy(
  purl: PackageUrl,
  candidate: IndexedPackage,
  versions: readonly string[] | undefined,
): boolean {
  const has = (version: string): boolean =>
    version === candidate.version || version === candidate.purl.version;
  if (purl.version !== null && !has(purl.version)) return false;
  if (versions && !versions.some(has)) return false;
  if (purl.subpath !== null && purl.subpath !== candidate.purl.subpath) return false;
  return Object.entries(purl.qualifiers).every(
    ([key, value]) => candidate.purl.qualifiers[key] === value,
  );
}

/**
 * VX3 A BOM-Link or serial number names the document with that serial number (and version, if it states one): as a
 * whole, or the component with that `bom-ref`.
 */
function findBom(
  { structure }: PackageIndex,
  { serial, version, ref, versions }: Identifier & { kind: 'bom' },
): Named {
  if (structure.serial !== serial) return named('absent');
  if (version !== null && version !== structure.version) return named('other_version');
  if (ref === null || structure.roots.has(ref)) {
    const roots = [...structure.roots].flatMap((id) => structure.packages.get(id) ?? []);
    return fitsVersions(roots, versions) ? named('found', [], true) : named('other_version');
  }
  const component = structure.packages.get(ref);
  if (!component) return named('absent');
  return fitsVersions(component, versions) ? named('found', [ref]) : named('other_version');
}

function fitsVersions(packages: readonly NamedPackage[], versions?: readonly string[]): boolean {
  return !versions || packages.some(({ version }) => versions.includes(version));
}

function named(nearness: Nearness, ids: readonly string[] = [], whole = false): Named {
  return { ids: new Set(ids), whole, nearness };
}
