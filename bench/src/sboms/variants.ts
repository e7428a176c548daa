import { createHash } from 'node:crypto';
import {
  documentBytes,
  type CycloneDxComponent,
  type CycloneDxDependency,
  type CycloneDxDocument,
} from './cyclonedx-document';
import { goVersionAbove } from './go-version';

const firstTimestamp = Date.UTC(2026, 0, 1);

/**
 * The same packages in a new document: new serial number and timestamp, as a nightly build writes.
 * `serial` ≥ 0 names the variant; the same one gives the same bytes.
 */
export function withNewIdentity(base: CycloneDxDocument, serial: number): CycloneDxDocument {
  return {
    ...base,
    serialNumber: `urn:uuid:${uuidOf(serial)}`,
    metadata: {
      ...base.metadata,
      timestamp: new Date(firstTimestamp + serial * 1000).toISOString(),
    },
  };
}

/**
 * A new document in which some components of `base` have other versions, and references to them are
 * adapted. The versions must be those of Go modules.
 */
export function withVersions(
  base: CycloneDxDocument,
  variant: { serial: number; versions: ReadonlyMap<CycloneDxComponent, string> },
): CycloneDxDocument {
  const newRefs = new Map<string, string>();
  const components = base.components.map((component) => {
    const version = variant.versions.get(component);
    return version === undefined ? component : withVersion(component, version, newRefs);
  });
  const document = { ...withNewIdentity(base, variant.serial), components };
  if (base.dependencies === undefined) return document;
  return {
    ...document,
    dependencies: base.dependencies.map((entry) => withRefs(entry, newRefs)),
  };
}

/**
 * A new document with a new component set: `count` Go modules stand in versions that occur in no other
 * variant, each directly above the one of the base. Which modules: `count` in a row, beginning where the
 * variant before ended, so that all of them take their turn. Throws a `RangeError` when the base has
 * fewer than `count` modules with a Go version.
 */
export function withNewVersions(
  base: CycloneDxDocument,
  variant: { serial: number; count: number },
): CycloneDxDocument {
  const { serial, count } = variant;
  const modules = base.components.filter(isGoModule);
  if (modules.length < count) {
    throw new RangeError(`the document has ${modules.length} Go modules, not ${count}`);
  }
  const versions = new Map(
    takeInTurn(modules, { first: serial * count, count }).map((module) => [
      module,
      goVersionAbove(module.version ?? '', `${serial} ${module.purl}`) ?? '',
    ]),
  );
  return withVersions(base, { serial, versions });
}

/** `count` items in a row, beginning again with the first one after the last one. */
export function takeInTurn<Item>(
  items: readonly Item[],
  { first, count }: { first: number; count: number },
): Item[] {
  const begin = first % items.length;
  return [...items.slice(begin), ...items.slice(0, begin)].slice(0, count);
}

/** Makes the documents of a whole bench: no serial is given twice, so no variant is uploaded twice. */
export interface SbomMaker {
  base(): Buffer;
  newIdentity(): Buffer;
  newVersions(count: number): Buffer;
  /** The components of the base that can have another version. */
  modules: readonly CycloneDxComponent[];
  /** The base with some of `modules` in other versions. */
  withVersions(versions: ReadonlyMap<CycloneDxComponent, string>): Buffer;
}

export function createSbomMaker(base: CycloneDxDocument, bytes: Buffer): SbomMaker {
  let serial = 0;
  return {
    base: () => bytes,
    newIdentity: () => documentBytes(withNewIdentity(base, ++serial)),
    newVersions: (count) => documentBytes(withNewVersions(base, { serial: ++serial, count })),
    modules: base.components.filter(isGoModule),
    withVersions: (versions) => documentBytes(withVersions(base, { serial: ++serial, versions })),
  };
}

function isGoModule(component: CycloneDxComponent): boolean {
  return (
    component.purl?.startsWith('pkg:golang/') === true &&
    component.version !== undefined &&
    goVersionAbove(component.version, '') !== undefined
  );
}

function withVersion(
  component: CycloneDxComponent,
  version: string,
  newRefs: Map<string, string>,
): CycloneDxComponent {
  const purl = purlWithVersion(component.purl ?? '', version);
  const oldRef = component['bom-ref'];
  if (oldRef === undefined) return { ...component, version, purl };
  newRefs.set(oldRef, purl);
  return { ...component, version, purl, 'bom-ref': purl };
}

function purlWithVersion(purl: string, version: string): string {
  const tail = /[?#].*$/.exec(purl)?.[0] ?? '';
  const whole = tail === '' ? purl : purl.slice(0, -tail.length);
  const at = whole.lastIndexOf('@');
  const name = at === -1 ? whole : whole.slice(0, at);
  return `${name}@${version.replaceAll('+', '%2B')}${tail}`;
}

function withRefs(entry: CycloneDxDependency, newRefs: Map<string, string>): CycloneDxDependency {
  const renamed = { ...entry, ref: newRefs.get(entry.ref) ?? entry.ref };
  if (entry.dependsOn === undefined) return renamed;
  return { ...renamed, dependsOn: entry.dependsOn.map((ref) => newRefs.get(ref) ?? ref) };
}

function uuidOf(serial: number): string {
  const hex = createHash('sha256').update(`bomtrail bench ${serial}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
