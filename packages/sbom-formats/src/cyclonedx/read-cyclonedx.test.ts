import type { JsonObject } from '../json';
import { accepted, component, cycloneDx, directNames, onlyDependency } from '../testing/documents';

const names = (document: JsonObject) => accepted(document).dependencies.map(({ name }) => name);

describe('name and version of a CycloneDX component', () => {
  test.each<[JsonObject, { name: string; version: string; purl: string | null }]>([
    [
      { name: 'core', group: '@angular', version: '1', purl: 'pkg:npm/%40angular/core@2' },
      { name: '@angular/core', version: '1', purl: 'pkg:npm/%40angular/core@2' },
    ],
    [
      {
        name: 'log4j-core',
        version: undefined,
        purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
      },
      {
        name: 'org.apache.logging.log4j:log4j-core',
        version: '2.14.1',
        purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
      },
    ],
    [
      { name: 'x', version: '', purl: 'pkg:deb/debian/openssl@3.0.9-1' },
      { name: 'openssl', version: '3.0.9-1', purl: 'pkg:deb/debian/openssl@3.0.9-1' },
    ],
    [
      { name: 'x', version: 'v1', purl: 'pkg:golang/github.com/a/b@v1' },
      { name: 'github.com/a/b', version: 'v1', purl: 'pkg:golang/github.com/a/b@v1' },
    ],
    [
      { name: 'artifact', group: 'org.example', version: '1' },
      { name: 'org.example/artifact', version: '1', purl: null },
    ],
    [
      { name: 'alone', group: '', version: undefined },
      { name: 'alone', version: '', purl: null },
    ],
    [
      { name: 'alone', version: '1', purl: ' ' },
      { name: 'alone', version: '1', purl: null },
    ],
    [
      { name: 'a', group: 'g', version: '1', purl: 'no purl' },
      { name: 'g/a', version: '1', purl: 'no purl' },
    ],
  ])('%j', (written, read) => {
    expect(onlyDependency(cycloneDx({ components: [component('', written)] }))).toMatchObject(read);
  });

  test('the type is the component type', () => {
    const components = [component('a', { type: 'operating-system' })];
    expect(onlyDependency(cycloneDx({ components })).type).toBe('operating-system');
  });
});

describe('licences of a CycloneDX component', () => {
  const id = (text: string) => ({ license: { id: text } });
  const called = (text: string) => ({ license: { name: text } });

  test.each<[JsonObject[] | undefined, string | null]>([
    [undefined, null],
    [[], null],
    [[id('MIT')], 'MIT'],
    [[{ expression: 'MIT OR Apache-2.0' }], 'MIT OR Apache-2.0'],
    [[called('Our own licence')], 'Our own licence'],
    [[id('MIT'), id('Zlib')], 'MIT AND Zlib'],
    [[id('MIT'), id('MIT')], 'MIT'],
    [[id('MIT'), called('Apache-2.0 OR Zlib')], 'MIT AND (Apache-2.0 OR Zlib)'],
    [[called('NOASSERTION')], null],
    [[called('NONE'), id('MIT')], 'MIT'],
    [[called(' ')], null],
  ])('%j gives %j', (licenses, license) => {
    const components = [component('a', { licenses })];
    expect(onlyDependency(cycloneDx({ components })).license).toBe(license);
  });

  test('an expression beside others, as 1.7 allows, is joined', () => {
    const licenses = [{ expression: 'MIT OR Zlib' }, id('ISC')];
    const document = cycloneDx({ specVersion: '1.7', components: [component('a', { licenses })] });
    expect(onlyDependency(document).license).toBe('(MIT OR Zlib) AND ISC');
  });
});

describe('the components that count', () => {
  test('nested ones do, at every level', () => {
    const inner = component('b', { components: [component('c')] });
    expect(names(cycloneDx({ components: [component('a', { components: [inner] })] }))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('the root does not, its parts do', () => {
    const metadata = { component: component('root', { components: [component('part')] }) };
    expect(names(cycloneDx({ metadata, components: [component('a')] }))).toEqual(['a', 'part']);
  });

  test('services and tools do not', () => {
    const document = cycloneDx({
      metadata: { tools: { components: [component('tool')] } },
      services: [{ name: 'service' }],
    });
    expect(names(document)).toEqual([]);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'equal in purl, name and version is the root',
      { group: 'g', purl: 'pkg:generic/g/root@1.0.0' },
      [],
    ],
    ['with its bom-ref and name and less detail is the root', { 'bom-ref': 'r' }, []],
    ['of another version is not the root', { 'bom-ref': 'r', version: '2.0.0' }, ['root']],
    ['of another purl is not the root', { 'bom-ref': 'r', purl: 'pkg:npm/root@1.0.0' }, ['root']],
    ['of another group is not the root', { 'bom-ref': 'r', group: 'h' }, ['h/root']],
    ['of another name is not the root', { 'bom-ref': 'r', name: 'other' }, ['other']],
  ])('one %s', (_title, changes, expected) => {
    const root = { 'bom-ref': 'r', group: 'g', purl: 'pkg:generic/g/root@1.0.0' };
    const metadata = { component: component('root', root) };
    const components = [component('root', changes)];
    expect(names(cycloneDx({ metadata, components }))).toEqual(expected);
  });

  test('parts of the root where it is listed again do', () => {
    const metadata = { component: component('root') };
    const again = component('root', { components: [component('part')] });
    expect(names(cycloneDx({ metadata, components: [again] }))).toEqual(['part']);
  });
});

describe('direct dependencies in CycloneDX', () => {
  const ref = (name: string) => component(name, { 'bom-ref': `ref-${name}` });
  const metadata = { component: ref('root') };
  const components = [ref('a'), ref('b'), component('outside')];
  const withGraph = (dependencies: JsonObject[], changes: JsonObject = {}) =>
    cycloneDx({ metadata, components, dependencies, ...changes });

  test('are those that the root depends on, the rest and what is outside the graph are not', () => {
    const graph = [
      { ref: 'ref-root', dependsOn: ['ref-a'] },
      { ref: 'ref-a', dependsOn: ['ref-b'] },
    ];
    expect(directNames(withGraph(graph))).toEqual(['a']);
  });

  test('are collected from every entry of the root', () => {
    const graph = [
      { ref: 'ref-root', dependsOn: ['ref-a'] },
      { ref: 'ref-root', dependsOn: ['ref-b'] },
    ];
    expect(directNames(withGraph(graph))).toEqual(['a', 'b']);
  });

  test.each<[string, JsonObject]>([
    ['there is no graph', cycloneDx({ metadata, components })],
    ['the graph does not mention the root', withGraph([{ ref: 'ref-a', dependsOn: ['ref-b'] }])],
    ['the graph lists nothing for the root', withGraph([{ ref: 'ref-root' }, { ref: 'ref-a' }])],
    ['the list of the root is empty', withGraph([{ ref: 'ref-root', dependsOn: [] }])],
    ['the root depends on itself alone', withGraph([{ ref: 'ref-root', dependsOn: ['ref-root'] }])],
    [
      'the root depends on no component of the document',
      withGraph([{ ref: 'ref-root', dependsOn: ['service'] }]),
    ],
    ['there is no root', withGraph([{ ref: 'ref-a', dependsOn: ['ref-b'] }], { metadata: {} })],
    [
      'the root has no bom-ref',
      withGraph([{ ref: 'ref-root', dependsOn: ['ref-a'] }], {
        metadata: { component: component('root') },
      }),
    ],
  ])('are all when %s', (_title, document) => {
    expect(directNames(document)).toEqual(['a', 'b', 'outside']);
  });

  test('are found where the root is listed again under another bom-ref', () => {
    const again = component('root', { 'bom-ref': 'again' });
    const graph = [{ ref: 'again', dependsOn: ['ref-b'] }];
    expect(directNames(withGraph(graph, { components: [...components, again] }))).toEqual(['b']);
  });

  test('cycles, dangling and duplicate references do no harm', () => {
    const graph = [
      { ref: 'ref-root', dependsOn: ['ref-a', 'nowhere', 'ref-root'] },
      { ref: 'ref-a', dependsOn: ['ref-b', 'ref-root'] },
      { ref: 'ref-b', dependsOn: ['ref-a'] },
    ];
    const twice = [...components, component('twin', { 'bom-ref': 'ref-a' })];
    expect(directNames(withGraph(graph, { components: twice }))).toEqual(['a', 'twin']);
  });

  test('parts of the root are direct only by the graph', () => {
    const root = { ...ref('root'), components: [ref('part')] };
    const graph = [{ ref: 'ref-root', dependsOn: ['ref-a'] }];
    expect(directNames(withGraph(graph, { metadata: { component: root } }))).toEqual(['a']);
  });
});

test('the source package in properties is kept beside the purl, and nothing where there is none', () => {
  const properties = [
    { name: 'aquasecurity:trivy:SrcName', value: 'glibc' },
    { name: 'aquasecurity:trivy:SrcVersion', value: '2.31' },
    { name: 'aquasecurity:trivy:SrcRelease', value: '13' },
  ];
  const built = component('libc6', { properties });
  expect(onlyDependency(cycloneDx({ components: [built] })).source_package).toBe('glibc@2.31-13');
  expect(onlyDependency(cycloneDx({ components: [component('a')] }))).not.toHaveProperty(
    'source_package',
  );
});
