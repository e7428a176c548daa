import { scannableRoots } from './scannable-roots';
import type { Dependency } from './normalised-sbom';
import { accepted, component, cycloneDx, purlRef, spdx, spdxPackage } from './testing/documents';

function read(document: object): { names: string[]; roots: Dependency[]; digest: string } {
  const { dependencies, roots, digest } = accepted(document);
  return { names: dependencies.map(({ name }) => name), roots, digest };
}

const log4j = 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1';
const part = component('a', { purl: 'pkg:npm/a@1.0.0' });

function about(root: object | undefined, components: object[] = [part]): object {
  const metadata = root && { component: { type: 'application', ...root } };
  return cycloneDx({ components, ...(metadata && { metadata }) });
}

function aboutPackage(...purls: string[]): object {
  const externalRefs = purls.map((purl) => purlRef(purl));
  const packages = [spdxPackage('root', { externalRefs }), spdxPackage('a')];
  return spdx({ documentDescribes: ['SPDXRef-root'], packages });
}

describe('the root of a document', () => {
  test.each([
    ['CycloneDX', about({ name: 'log4j-core', version: '2.14.1', purl: log4j })],
    ['SPDX', aboutPackage(log4j)],
  ])('is judged where its purl names a package version, but no dependency: %s', (_, document) => {
    const { names, roots } = read(document);
    expect(names).toEqual(['a']);
    expect(roots).toMatchObject([
      { name: 'org.apache.logging.log4j:log4j-core', version: '2.14.1', purl: log4j },
    ]);
    expect(roots[0]?.is_direct).toBe(true);
  });

  test.each([
    ['without a purl', { name: 'app', version: '1' }],
    ['without a version', { name: 'app', purl: 'pkg:npm/app' }],
    ['of a purl that cannot be read', { name: 'app', version: '1', purl: 'npm/app@1' }],
    ['that is an image', { name: 'app', version: '1', purl: 'pkg:oci/app@sha256%3A12' }],
    ['that is absent', undefined],
  ])('%s is not', (_, component) => {
    const { roots, digest } = read(about(component));
    expect(roots).toEqual([]);
    expect(digest).toBe(read(about(undefined)).digest);
  });

  test('makes another component set, since what is found in it is another', () => {
    const app = (version: string): string =>
      read(about({ name: 'app', purl: `pkg:npm/app@${version}` })).digest;
    expect(app('1.0.0')).toBe(app('1.0.0'));
    expect(new Set([app('1.0.0'), app('1.0.1'), read(about(undefined)).digest]).size).toBe(3);
    const listed = about(undefined, [part, { type: 'library', ...part, purl: log4j }]);
    expect(read(listed).digest).not.toBe(read(about({ name: 'x', purl: log4j })).digest);
  });

  test('counts once where it is listed again, also where only that says its purl', () => {
    const again = { ...part, 'bom-ref': 'r', name: 'app', version: '2', purl: 'pkg:npm/app@2' };
    const root = { 'bom-ref': 'r', name: 'app', version: '2' };
    const { names, roots } = read(about(root, [part, again]));
    expect(names).toEqual(['a']);
    expect(roots).toMatchObject([{ name: 'app', purl: 'pkg:npm/app@2' }]);
    expect(read(about({ ...root, purl: again.purl }, [part, again])).roots).toHaveLength(1);
  });

  test('with several purls is judged by each of them', () => {
    const { roots } = read(aboutPackage('pkg:npm/app@1', 'pkg:generic/app@1', 'pkg:npm/app@1'));
    expect(roots.map(({ purl }) => purl)).toEqual(['pkg:npm/app@1', 'pkg:generic/app@1'].sort());
  });

  test('of which there is too much to be one is listed among the dependencies, not lost', () => {
    const entry = (purl: string): Dependency => ({
      name: 'x',
      version: '1',
      purl,
      type: null,
      license: null,
      is_direct: true,
    });
    const many = Array.from({ length: 20 }, (_, at) => entry(`pkg:npm/x${at}@1`));
    const split = scannableRoots(many);
    expect([split.roots.length, split.parts.length]).toEqual([16, 4]);
    const long = scannableRoots([entry(`pkg:npm/${'x'.repeat(40_000)}@1`)]);
    expect([long.roots.length, long.parts.length]).toEqual([0, 1]);
  });
});
