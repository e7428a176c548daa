import { readSbom, type NormalisedSbom } from '@bomtrail/sbom-formats';
import { sharedData } from '../paths';
import { loadBaseDocument } from './base-document';
import { documentBytes, type CycloneDxDocument } from './cyclonedx-document';
import { generatedDocument } from './generated-document';
import { createSbomMaker, withNewIdentity, withNewVersions } from './variants';

const generated = generatedDocument(201);
const bases: [string, CycloneDxDocument][] = [['the generated document', generated]];
if (sharedData('sboms') === undefined) {
  test.skip('variants of the real document: skipped, there is no ../shared/data', () => undefined);
} else {
  bases.push(['the real document', loadBaseDocument().document]);
}

function read(bytes: Buffer): NormalisedSbom {
  const result = readSbom(bytes, { maxComponents: 1000 });
  if (!result.ok) throw new Error(result.detail);
  return result.sbom;
}

function packageVersions(document: CycloneDxDocument): Set<string> {
  const { dependencies } = read(documentBytes(document));
  return new Set(dependencies.map(({ name, version }) => `${name} ${version}`));
}

function onlyIn(one: Set<string>, other: Set<string>): string[] {
  return [...one].filter((entry) => !other.has(entry));
}

describe.each(bases)('variants of %s', (_name, base) => {
  test('the base has 201 packages', () => {
    expect(packageVersions(base).size).toBe(201);
  });

  test('a new identity is another document with the same component set', () => {
    const variant = withNewIdentity(base, 1);
    expect(variant.serialNumber).not.toBe(base.serialNumber);
    expect(variant.metadata?.timestamp).not.toBe(base.metadata?.timestamp);
    expect(read(documentBytes(variant)).digest).toBe(read(documentBytes(base)).digest);
  });

  test('new versions make another component set: 20 package versions replaced, 181 as before', () => {
    const [old, now] = [packageVersions(base), packageVersions(withNewVersions(base, twenty(1)))];
    expect(now.size).toBe(201);
    expect(onlyIn(old, now)).toHaveLength(20);
    expect(onlyIn(now, old)).toHaveLength(20);
  });

  test('new package versions occur in no other variant', () => {
    const known = packageVersions(base);
    const digests = new Set<string>();
    for (let serial = 0; serial < 40; serial += 1) {
      const variant = withNewVersions(base, twenty(serial));
      const fresh = onlyIn(packageVersions(variant), known);
      expect(fresh).toHaveLength(20);
      for (const entry of fresh) known.add(entry);
      digests.add(read(documentBytes(variant)).digest);
    }
    expect(digests.size).toBe(40);
  });

  test('every package takes its turn', () => {
    const replaced = new Set<string>();
    const old = packageVersions(base);
    for (let serial = 0; serial < 11; serial += 1) {
      const now = packageVersions(withNewVersions(base, twenty(serial)));
      for (const entry of onlyIn(old, now)) replaced.add(entry);
    }
    expect(replaced.size).toBe(201);
  });

  test('the graph still names the components: as many are direct as before', () => {
    const variant = withNewVersions(base, twenty(3));
    const direct = (document: CycloneDxDocument): number =>
      read(documentBytes(document)).dependencies.filter(({ is_direct }) => is_direct).length;
    expect(direct(variant)).toBe(direct(base));
    const refs = new Set(variant.components.map((component) => component['bom-ref']));
    const named = variant.dependencies?.filter(({ ref }) => refs.has(ref)) ?? [];
    expect(named).toHaveLength(201);
  });
});

test('too few Go modules for a variant is an error', () => {
  expect(() => withNewVersions(generatedDocument(10), twenty(0))).toThrow(RangeError);
});

test('a purl keeps its qualifiers and gets its plus sign escaped', () => {
  const purl = 'pkg:golang/example.com/a@v2.0.0%2Bincompatible?type=module#sub/package';
  const base = { components: [{ name: 'a', version: 'v2.0.0+incompatible', purl }] };
  const [component] = withNewVersions(base, { serial: 0, count: 1 }).components;
  expect(component?.purl).toMatch(
    /^pkg:golang\/example\.com\/a@v2\.0\.1-0\.20200101000000-[0-9a-f]{12}%2Bincompatible\?type=module#sub\/package$/,
  );
});

test('a maker gives no document twice, except the base', () => {
  const maker = createSbomMaker(generated, documentBytes(generated));
  const made = [
    maker.newIdentity(),
    maker.newVersions(20),
    maker.newIdentity(),
    maker.newVersions(20),
  ];
  expect(new Set(made.map(String)).size).toBe(4);
  expect(maker.base()).toBe(maker.base());
});

function twenty(serial: number): { serial: number; count: number } {
  return { serial, count: 20 };
}
