import type { JsonObject } from '../json';
import {
  accepted,
  directNames,
  httpError,
  onlyDependency,
  spdx3,
  spdx3Package,
  spdx3Relationship,
} from '../testing/documents';

const CONTEXT = 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld';
const names = (document: JsonObject) => accepted(document).dependencies.map(({ name }) => name);
const one = (changes: JsonObject, ...others: JsonObject[]) =>
  onlyDependency(spdx3([spdx3Package('a', changes), ...others]));
const identifier = (value: string, type = 'packageUrl'): JsonObject => ({
  type: 'ExternalIdentifier',
  externalIdentifierType: type,
  identifier: value,
});

describe('the purl of an SPDX 3 package', () => {
  test.each<[string, JsonObject]>([
    ['software_packageUrl', { software_packageUrl: 'pkg:npm/%40scope/b@2' }],
    ['externalIdentifier', { externalIdentifier: [identifier('pkg:npm/%40scope/b@2')] }],
    ['a single identifier', { externalIdentifier: identifier('pkg:npm/%40scope/b@2') }],
    ['the type purl', { externalIdentifier: [identifier('pkg:npm/%40scope/b@2', 'purl')] }],
    [
      'the IRI of the type',
      {
        externalIdentifier: [
          identifier(
            'pkg:npm/%40scope/b@2',
            'https://spdx.org/rdf/3.0.1/terms/Core/ExternalIdentifierType/packageUrl',
          ),
        ],
      },
    ],
    [
      'both places, once',
      {
        software_packageUrl: 'pkg:npm/%40scope/b@2',
        externalIdentifier: [identifier('pkg:npm/@scope/b@2'), identifier('cpe:2.3:a', 'cpe23')],
      },
    ],
  ])('is read from %s', (_title, changes) => {
    expect(one(changes)).toMatchObject({
      name: '@scope/b',
      version: '2',
      purl: 'pkg:npm/%40scope/b@2',
    });
  });

  test('is read from identifiers that stand by themselves', () => {
    const named = { ...identifier('pkg:npm/b@2', 'purl'), spdxId: 'no IRI' };
    expect(one({ externalIdentifier: ['no IRI'] }, named).purl).toBe('pkg:npm/b@2');
    expect(one({ externalIdentifier: [{ '@id': 'no IRI' }] }, named).purl).toBe('pkg:npm/b@2');
    expect(one({ externalIdentifier: ['elsewhere'] }, named).purl).toBeNull();
  });

  test('counts once for each different one, so that none goes unscanned', () => {
    const externalIdentifier = ['pkg:npm/a@1', 'pkg:generic/a@1'].map((purl) => identifier(purl));
    const { dependencies } = accepted(spdx3([spdx3Package('a', { externalIdentifier })]));
    expect(dependencies.map(({ purl }) => purl)).toEqual(['pkg:generic/a@1', 'pkg:npm/a@1']);
  });
});

describe('a package of SPDX 3', () => {
  test('without a purl goes by its own name and version', () => {
    expect(one({ software_packageVersion: '1.2' })).toMatchObject({ version: '1.2', purl: null });
  });

  test.each([
    ['operatingSystem', 'operating-system'],
    ['library', 'library'],
    ['https://spdx.org/rdf/3.0.1/terms/Software/SoftwarePurpose/deviceDriver', 'device-driver'],
  ])('with the purpose %s is of the type %s', (software_primaryPurpose, type) => {
    expect(one({ software_primaryPurpose }).type).toBe(type);
  });

  test.each<[string, JsonObject]>([
    ['in the graph', spdx3([spdx3Package('a')])],
    ['of a model', spdx3([{ ...spdx3Package('a'), type: 'ai_AIPackage' }])],
    ['of a data set', spdx3([{ ...spdx3Package('a'), type: ['dataset_DatasetPackage'] }])],
    [
      'with JSON-LD names and an IRI as its type',
      spdx3([
        { '@type': 'https://spdx.org/rdf/3.0.1/terms/Software/Package', '@id': 'u:a', name: 'a' },
      ]),
    ],
    [
      'inline, ten levels deep',
      spdx3([
        Array.from({ length: 9 }).reduce<JsonObject>(
          (inside, _unused, level) => ({
            type: 'Bom',
            spdxId: `urn:${level}`,
            rootElement: [inside],
          }),
          spdx3Package('a'),
        ),
      ]),
    ],
    ['as the only element', { '@context': CONTEXT, ...spdx3Package('a') }],
    ['in a graph of one', { '@context': CONTEXT, '@graph': spdx3Package('a') }],
    ['twice', spdx3([spdx3Package('a'), spdx3Package('a')])],
  ])('%s is found', (_title, document) => {
    expect(names(document)).toEqual(['a']);
  });

  test('is no file, and no tool', () => {
    const others = ['software_File', 'Tool', 'build_Build'].map((type) => ({
      ...spdx3Package(type),
      type,
      software_packageUrl: 'pkg:npm/a@1',
    }));
    expect(names(spdx3([...others, spdx3Package('a')]))).toEqual(['a']);
  });
});

describe('ids', () => {
  const rest = (id: string, ref: string) => [
    { ...spdx3Package('r'), spdxId: 'p:r' },
    { ...spdx3Package('a'), spdxId: id },
    { ...spdx3Package('b'), spdxId: 'p:b' },
    {
      type: 'Relationship',
      from: 'https://example.org/r',
      relationshipType: 'dependsOn',
      to: [ref],
    },
    { type: 'SpdxDocument', spdxId: 'p:doc', rootElement: ['p:r'] },
  ];

  test.each<[string, unknown, string, string]>([
    ['a prefix', { p: 'https://example.org/' }, 'https://example.org/a', 'p:a'],
    ['its long definition', { p: { '@id': 'https://example.org/' } }, 'p:a', 'p:a'],
    ['a prefix of a prefix', { p: 'h:example.org/', h: 'https://' }, 'p:a', 'h:example.org/a'],
  ])('with %s name one element', (_title, prefixes, ...[id, ref]) => {
    const document = { '@context': [CONTEXT, prefixes], '@graph': rest(id, ref) };
    expect(directNames(document)).toEqual(['a']);
    expect(names(document)).toEqual(['a', 'b']);
  });

  test('are not changed by prefixes that go in a circle, or are no prefixes', () => {
    const context = [CONTEXT, { p: 'q:', q: 'p:', https: 'x', '@base': 'y' }];
    const element = { ...spdx3Package('a'), spdxId: 'https://example.org/a' };
    expect(names({ '@context': context, '@graph': [element] })).toEqual(['a']);
  });
});

describe('the root and direct dependencies in SPDX 3', () => {
  const packages = ['root', 'a', 'b', 'c'].map((name) => spdx3Package(name));
  const direct = (...relationships: string[]) =>
    directNames(spdx3([...packages, ...relationships.map((text) => spdx3Relationship(text))]));

  test.each<[string, JsonObject[], string[]]>([
    ['its document names the root', [], ['a', 'b', 'c']],
    [
      'the root of its document is an SBOM about a package',
      [{ type: 'software_Sbom', spdxId: 'urn:root', rootElement: 'urn:a' }],
      ['b', 'c', 'root'],
    ],
    [
      'its collections are about each other',
      [
        { type: 'Bom', spdxId: 'urn:root', rootElement: ['urn:bom'] },
        { type: 'Bom', spdxId: 'urn:bom', rootElement: ['urn:root', 'urn:a'] },
      ],
      ['b', 'c', 'root'],
    ],
    ['it describes one more', [spdx3Relationship('document describes a')], ['a', 'b', 'c', 'root']],
    ['a package describes one', [spdx3Relationship('c describes a')], ['a', 'b', 'c']],
  ])('if %s', (_title, elements, expected) => {
    const others = packages.filter(({ spdxId }) =>
      elements.every((element) => element.spdxId !== spdxId),
    );
    const document = spdx3([...packages.slice(0, 1), ...others.slice(-3), ...elements]);
    expect(names(document)).toEqual(expected);
  });

  test('is what collections are about where there is no document', () => {
    const sbom = { type: 'software_Sbom', spdxId: 'urn:sbom', rootElement: ['urn:a'] };
    expect(names({ '@context': CONTEXT, '@graph': [...packages, sbom] })).not.toContain('a');
  });

  test.each<[string[], string[]]>([
    [['root dependsOn a', 'a dependsOn b'], ['a']],
    [
      ['root dependsOn a b', 'root contains c'],
      ['a', 'b'],
    ],
    [['root DEPENDS_ON a'], ['a']],
    [['root https://spdx.org/rdf/3.0.1/terms/Core/RelationshipType/dependsOn a'], ['a']],
    [
      ['root hasDynamicLink a', 'root hasStaticLink b', 'root hasOptionalComponent c'],
      ['a', 'b', 'c'],
    ],
    [['root contains b', 'b contains c'], ['b']],
    [['root contains file'], ['a', 'b', 'c']],
    [['a dependsOn b'], ['a', 'b', 'c']],
    [
      ['root dependsOn root', 'a dependsOn root', 'b dependsOn a', 'a dependsOn b'],
      ['a', 'b', 'c'],
    ],
    [[], ['a', 'b', 'c']],
  ])('of %j are %j', (relationships, expected) => {
    expect(direct(...relationships)).toEqual(expected);
  });

  test('may stand inline', () => {
    const relationship = spdx3Relationship('root dependsOn', {
      from: { ...spdx3Package('root') },
      to: [spdx3Package('b'), { '@id': 'urn:c' }],
    });
    expect(directNames(spdx3([...packages, relationship]))).toEqual(['b', 'c']);
  });
});

describe('what is not forgiven in SPDX 3', () => {
  const ref = { type: 'Relationship', spdxId: 'urn:x' };
  test.each<[string, unknown, string]>([
    ['no name', { ...spdx3Package('a'), name: undefined }, '@graph[2] lacks "name"'],
    ['no id', { ...spdx3Package('a'), spdxId: undefined }, '@graph[2] lacks "spdxId"'],
    [
      'a version that is a number',
      spdx3Package('a', { software_packageVersion: 1 }),
      '@graph[2].software_packageVersion must be string',
    ],
    [
      'a purl that is a list',
      spdx3Package('a', { software_packageUrl: [] }),
      '@graph[2].software_packageUrl must be string',
    ],
    [
      'half an identifier',
      spdx3Package('a', { externalIdentifier: [{ identifier: 'pkg:npm/a@1' }] }),
      '@graph[2].externalIdentifier[0] lacks "externalIdentifierType"',
    ],
    [
      'an inline package without a name',
      {
        type: 'Bom',
        spdxId: 'urn:b',
        rootElement: [{ type: 'software_Package', spdxId: 'urn:c' }],
      },
      '@graph[2].rootElement[0] lacks "name"',
    ],
    ['half a relationship', { ...ref, from: 'urn:a' }, '@graph[2] lacks "relationshipType"'],
    [
      'a relationship to a number',
      { ...ref, from: 'urn:a', relationshipType: 'dependsOn', to: [1] },
      '@graph[2].to[0] must be string,object',
    ],
    ['an element that is text', 'urn:a', '@graph[2] must be object'],
    [
      'an expression that is a list',
      {
        type: 'simplelicensing_LicenseExpression',
        spdxId: 'urn:l',
        simplelicensing_licenseExpression: ['MIT'],
      },
      '@graph[2].simplelicensing_licenseExpression must be string',
    ],
  ])('%s', (_title, element, place) => {
    expect(httpError(spdx3([element]))).toEqual({
      code: 'invalid_sbom',
      detail: expect.stringContaining(`not valid SPDX 3.0.1: ${place}`) as string,
    });
  });

  test('shortens the place of an element at any depth', () => {
    const depth = 20_000;
    const nested = `${'{"rootElement":['.repeat(depth)}1${']}'.repeat(depth)}`;
    const text = JSON.stringify(spdx3(['?'])).replace('"?"', nested);
    expect(httpError(text).detail).toMatch(/^The document is not valid.{10,200} must be .{0,80}$/);
  });

  test('names the first three places and no more', () => {
    const broken = { ...spdx3Package('a'), name: 1 };
    expect(httpError(spdx3(Array(5).fill(broken))).detail).toBe(
      'The document is not valid SPDX 3.0.1: @graph[2].name must be string; @graph[3].name must be string; @graph[4].name must be string.',
    );
  });
});

test('what is not read is forgiven in SPDX 3: missing, malformed, additional or unknown', () => {
  const elements = [
    spdx3Package('a', { extra: 1, verifiedUsing: 'x', creationInfo: 7, suppliedBy: [[]] }),
    { type: 'software_File', spdxId: 5 },
    { type: 'Annotation', subject: 1 },
    { type: 'acme:Whatever', '@id': 'x' },
    { type: 'CreationInfo', specVersion: undefined },
    {},
    spdx3Relationship('a unheardOf b'),
  ];
  expect(names(spdx3(elements))).toEqual(['a']);
});
