import { gzipSync } from 'node:zlib';
import type { BadRequest } from './bad-request';
import { field, file, multipart, multipartType } from './multipart';

// Long because it is a table: an entry for each request.

const upload = {
  method: 'POST',
  path: '/api/v1/sboms/upload',
  headers: { 'content-type': multipartType },
};
const json = (value: unknown): string => JSON.stringify(value);

function documents(
  answer: Pick<BadRequest, 'status' | 'code'>,
  what: readonly (readonly [title: string, document: string | Buffer])[],
): BadRequest[] {
  return what.map(([title, document]) => ({
    ...upload,
    title: `${answer.status === 201 ? 'a taken' : 'a'} document: ${title}`,
    body: multipart([field('project_id', '$PROJECT'), file(document)]),
    ...answer,
  }));
}

const cdx = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 };
const lodash = { type: 'library', name: 'lodash', version: '4.17.15' };
const withComponent = (component: unknown): string => json({ ...cdx, components: [component] });
const spdxPackage = { SPDXID: 'SPDXRef-a', name: 'a', downloadLocation: 'NOASSERTION' };
const spdx = {
  spdxVersion: 'SPDX-2.3',
  dataLicense: 'CC0-1.0',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'a',
  documentNamespace: 'https://example.org/a',
  creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: a'] },
};
const spdx3Context = (version: string): string =>
  `https://spdx.org/rdf/${version}/spdx-context.jsonld`;
const spdx3 = (...elements: unknown[]): string =>
  json({ '@context': spdx3Context('3.0.1'), '@graph': elements });
const spdx3Package = { type: 'software_Package', spdxId: 'urn:a', name: 'a' };
const nested = (depth: number): string =>
  `{"bomFormat":"CycloneDX","specVersion":"1.5","components":[${'{"type":"library","name":"a","components":['.repeat(depth)}${']}'.repeat(depth)}]}`;

const noJson = documents({ status: 400, code: 'malformed_json' }, [
  ['no byte', ''],
  ['white space', ' \n'],
  ['text', 'hello'],
  ['a JSON object that is cut off', json(cdx).slice(0, -1)],
  ['two JSON objects', json(cdx) + json(cdx)],
  ['JSON lines', `${json(cdx)}\n${json(cdx)}\n`],
  ['a null byte after the JSON', `${json(cdx)}\0`],
  ['a null byte in a string', json({ ...cdx, x: 'a' }).replace('"a"', '"a\0"')],
  ['UTF-16', Buffer.from(`\uFEFF${json(cdx)}`, 'utf16le')],
  ['UTF-16 without a byte order mark', Buffer.from(json(cdx), 'utf16le')],
  ['Latin-1', Buffer.from(withComponent({ ...lodash, name: 'käse' }), 'latin1')],
  ['invalid UTF-8', Buffer.from(withComponent({ ...lodash, name: '\xff\xfe' }), 'latin1')],
  [
    'a surrogate in UTF-8',
    Buffer.from(withComponent({ ...lodash, name: '\xed\xa0\x80' }), 'latin1'),
  ],
  ['100,000 opening brackets', '['.repeat(100_000)],
  ['100,000 opening braces', '{"a":'.repeat(100_000)],
  ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 197) % 256))],
  ["gzip'd nothing", gzipSync('')],
]);

const brokenGzip = documents({ status: 400, code: 'malformed_body' }, [
  ["gzip'd and cut off", gzipSync(json(cdx)).subarray(0, -9)],
  ['the magic bytes of gzip alone', Buffer.from([0x1f, 0x8b])],
  [
    "gzip'd, then text",
    Buffer.concat([gzipSync(json(cdx)).subarray(0, 20), Buffer.from('x'.repeat(50))]),
  ],
]);

const noFormat = documents({ status: 400, code: 'unsupported_sbom_format' }, [
  ['null', 'null'],
  ['XML', '<bom xmlns="http://cyclonedx.org/schema/bom/1.5"/>'],
  ['SPDX tag-value', 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\n'],
  ['YAML', 'bomFormat: CycloneDX\nspecVersion: "1.5"\n'],
  ['a number', '1'],
  ['a string', '"CycloneDX"'],
  ['an array', '[]'],
  ['an array of a document', json([cdx])],
  ['an empty object', '{}'],
  ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['CycloneDX without its name', json({ specVersion: '1.5', components: [] })],
  ['CycloneDX in lower case', json({ ...cdx, bomFormat: 'cyclonedx' })],
  ['a list as the format', json({ ...cdx, bomFormat: ['CycloneDX'] })],
  ['the format in __proto__', '{"__proto__":{"bomFormat":"CycloneDX","specVersion":"1.5"}}'],
  ['a package.json', json({ name: 'a', version: '1.0.0', dependencies: {} })],
  ['syft-json', json({ artifacts: [], descriptor: { name: 'syft' } })],
  ['findings of Dependency-Track', json({ meta: { application: 'Dependency-Track' } })],
  ['OpenVEX', json({ '@context': 'https://openvex.dev/ns/v0.2.0', statements: [] })],
  ['CSAF', json({ document: { csaf_version: '2.0' } })],
  ['a SARIF report', json({ version: '2.1.0', runs: [] })],
  ['a GitHub answer with the SBOM in it', json({ sbom: spdx })],
  ['an in-toto attestation', json({ _type: 'https://in-toto.io/Statement/v1', predicate: cdx })],
  ['a zip file', Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1')],
  ["a gzip'd gzip'd document", gzipSync(gzipSync(json(cdx)))],
]);

const noVersion = documents({ status: 400, code: 'unsupported_sbom_version' }, [
  ...['3.0.0', '3.1', '3'].map(
    (version) => [`SPDX ${version}`, json({ '@context': spdx3Context(version) })] as const,
  ),
  ['an SPDX 3 draft', json({ '@graph': [{ type: 'SpdxDocument', specVersion: '3.0.0' }] })],
  ...['1.0', '1.1', '1.8', '2.0', '', '1', '1.5.0', ' 1.5', 'x', '__proto__'].map(
    (specVersion) => [`CycloneDX ${json(specVersion)}`, json({ ...cdx, specVersion })] as const,
  ),
  ...['SPDX-1.2', 'SPDX-2.1', 'SPDX-2.4', 'SPDX-3.0', '2.3', 'SPDX-2.3.0', 'SPDX-'].map(
    (spdxVersion) => [`SPDX ${spdxVersion}`, json({ ...spdx, spdxVersion })] as const,
  ),
]);

const badCycloneDx = documents({ status: 400, code: 'invalid_sbom' }, [
  ['CycloneDX with null as its version', '{"bomFormat":"CycloneDX","specVersion":null}'],
  ['CycloneDX without a version', '{"bomFormat":"CycloneDX"}'],
  ['CycloneDX with a number as its version', '{"bomFormat":"CycloneDX","specVersion":1.5}'],
  ['a number as the SPDX version', json({ ...spdx, spdxVersion: 2.3 })],
  ...([null, 1, 'x', {}, true] as const).map(
    (components) => [`${json(components)} as components`, json({ ...cdx, components })] as const,
  ),
  ...([null, 1, 'x', [], true] as const).map(
    (component) => [`${json(component)} as a component`, withComponent(component)] as const,
  ),
  ['a component without a name', withComponent({ type: 'library', version: '1' })],
  ['a component without a type', withComponent({ name: 'a', version: '1' })],
  ['a component of an unknown type', withComponent({ ...lodash, type: 'widget' })],
  ['a number as a name', withComponent({ ...lodash, name: 1 })],
  ['null as a name', withComponent({ ...lodash, name: null })],
  ['a list as a name', withComponent({ ...lodash, name: ['a'] })],
  ['a number as a version', withComponent({ ...lodash, version: 4.17 })],
  ['a number as a purl', withComponent({ ...lodash, purl: 1 })],
  ['an object as a purl', withComponent({ ...lodash, purl: { type: 'npm' } })],
  ['a number as a bom-ref', withComponent({ ...lodash, 'bom-ref': 1 })],
  ['an empty bom-ref', withComponent({ ...lodash, 'bom-ref': '' })],
  ['an object as licences', withComponent({ ...lodash, licenses: {} })],
  ['a licence without id and name', withComponent({ ...lodash, licenses: [{ license: {} }] })],
  ['a number as a scope', withComponent({ ...lodash, scope: 1 })],
  ['an unknown scope', withComponent({ ...lodash, scope: 'perhaps' })],
  ['an object as hashes', withComponent({ ...lodash, hashes: {} })],
  ['a list as metadata', json({ ...cdx, metadata: [] })],
  ['a root without a name', json({ ...cdx, metadata: { component: { type: 'application' } } })],
  ['a string as dependencies', json({ ...cdx, dependencies: 'x' })],
  ['a dependency without a ref', json({ ...cdx, dependencies: [{ dependsOn: [] }] })],
  ['a string as dependsOn', json({ ...cdx, dependencies: [{ ref: 'a', dependsOn: 'b' }] })],
  ['numbers in dependsOn', json({ ...cdx, dependencies: [{ ref: 'a', dependsOn: [1] }] })],
  ['a string as its own version', json({ ...cdx, version: '1' })],
  ['a version of itself below 1', json({ ...cdx, version: 0 })],
  [
    'nested components without a name',
    withComponent({ ...lodash, components: [{ type: 'library' }] }),
  ],
  [
    'a component whose name is in __proto__',
    withComponent(JSON.parse('{"type":"library","__proto__":{"name":"a"}}')),
  ],
  [
    'an older version with a field of a wrong type',
    json({ ...cdx, specVersion: '1.2', components: [{ ...lodash, name: 7 }] }),
  ],
  [
    'the newest version with a field of a wrong type',
    json({ ...cdx, specVersion: '1.7', components: [{ ...lodash, name: 7 }] }),
  ],
]);

const badSpdx = documents({ status: 400, code: 'invalid_sbom' }, [
  ...([null, 1, 'x', {}] as const).map(
    (packages) => [`SPDX with ${json(packages)} as packages`, json({ ...spdx, packages })] as const,
  ),
  ...([null, 1, 'x', []] as const).map(
    (one) => [`SPDX with ${json(one)} as a package`, json({ ...spdx, packages: [one] })] as const,
  ),
  ['SPDX without its id', json({ ...spdx, SPDXID: undefined })],
  ['SPDX with a number as its id', json({ ...spdx, SPDXID: 1 })],
  ['an SPDX package without a name', json({ ...spdx, packages: [{ SPDXID: 'SPDXRef-a' }] })],
  ['an SPDX package without an id', json({ ...spdx, packages: [{ name: 'a' }] })],
  [
    'an SPDX package with a number as its name',
    json({ ...spdx, packages: [{ ...spdxPackage, name: 1 }] }),
  ],
  [
    'an SPDX package with a number as its version',
    json({ ...spdx, packages: [{ ...spdxPackage, versionInfo: 1 }] }),
  ],
  [
    'an SPDX package with an object as its references',
    json({ ...spdx, packages: [{ ...spdxPackage, externalRefs: {} }] }),
  ],
  [
    'an SPDX package with a reference without a locator',
    json({ ...spdx, packages: [{ ...spdxPackage, externalRefs: [{ referenceType: 'purl' }] }] }),
  ],
  ['SPDX with a string as relationships', json({ ...spdx, relationships: 'x' })],
  [
    'an SPDX relationship without an end',
    json({ ...spdx, relationships: [{ spdxElementId: 'a', relationshipType: 'DEPENDS_ON' }] }),
  ],
  ['SPDX 3 with a string as an element', spdx3('urn:a')],
  ['an SPDX 3 package without a name', spdx3({ ...spdx3Package, name: undefined })],
  ['an SPDX 3 package with a number as its id', spdx3({ ...spdx3Package, spdxId: 1 })],
  [
    'an SPDX 3 relationship without an end',
    spdx3({ relationshipType: 'dependsOn', from: 'urn:a' }),
  ],
  ['SPDX with a string as what it describes', json({ ...spdx, documentDescribes: 'SPDXRef-a' })],
]);

const odd = documents({ status: 201 }, [
  ['nothing in it', json(cdx)],
  ['a byte order mark', `\uFEFF${json({ ...cdx, serialNumber: 'bom' })}`],
  [
    'duplicate keys, of which the last counts',
    '{"bomFormat":"x","bomFormat":"CycloneDX","specVersion":"1.5"}',
  ],
  ['fields that nobody knows', json({ ...cdx, constructor: { prototype: {} }, x: 1 })],
  ['a key of __proto__', '{"bomFormat":"CycloneDX","specVersion":"1.5","__proto__":{"x":1}}'],
  ['an empty name', withComponent({ ...lodash, name: '' })],
  [
    'half of a surrogate pair in a name',
    withComponent({ ...lodash, name: 'HALF' }).replace('HALF', '\\ud800'),
  ],
  ['a null character in a name', withComponent({ ...lodash, name: 'a\u0000b' })],
  ['a name of 100,000 letters', withComponent({ ...lodash, name: 'x'.repeat(100_000) })],
  [
    'a version of 100,000 digits',
    withComponent({ ...lodash, purl: 'pkg:npm/lodash', version: '9'.repeat(100_000) }),
  ],
  [
    'a version of 50,000 dots',
    withComponent({ ...lodash, purl: 'pkg:maven/a/b', version: '1.'.repeat(50_000) }),
  ],
  [
    'a version that is a regular expression',
    withComponent({ ...lodash, purl: 'pkg:npm/lodash@(a%2B)%2B$', version: '(a+)+$' }),
  ],
  ...[
    'x',
    'pkg:',
    'pkg:/',
    'pkg:npm',
    'pkg:npm/',
    'pkg:npm/%zz',
    'pkg:npm/%00',
    'pkg:npm/%ff@1',
    'pkg:npm/../../x@1',
    'pkg:npm/lodash@%zz',
    'pkg:npm/lodash@4.17.15?x',
    'pkg:npm/lodash@4.17.15?=&==#//',
    'pkg://npm/lodash@1@2@3',
    'pkg:__proto__/constructor@1',
    'pkg:npm/__proto__@1.0.0',
    'pkg:npm/constructor@1.0.0',
    'pkg:npm/toString@1.0.0',
    'PKG:NPM/LODASH@4.17.15',
    `pkg:npm/${'a/'.repeat(5_000)}b@1`,
    `pkg:npm/lodash@${'%40'.repeat(5_000)}`,
  ].map(
    (purl) =>
      [
        `the purl ${purl.length > 50 ? `${purl.slice(0, 20)}…` : purl}`,
        withComponent({ type: 'library', name: 'lodash', purl }),
      ] as const,
  ),
  [
    'the same bom-ref twice',
    json({
      ...cdx,
      components: [
        { ...lodash, 'bom-ref': 'a' },
        { ...lodash, version: '4.17.21', 'bom-ref': 'a' },
      ],
    }),
  ],
  [
    'a graph that turns in a circle',
    json({
      ...cdx,
      metadata: { component: { type: 'application', name: 'a', 'bom-ref': 'a' } },
      components: [{ ...lodash, 'bom-ref': 'b' }],
      dependencies: [
        { ref: 'a', dependsOn: ['b', 'a', 'nowhere'] },
        { ref: 'b', dependsOn: ['a', 'b'] },
        { ref: 'b', dependsOn: ['b'] },
      ],
    }),
  ],
  [
    'a chain of 3,000 dependencies',
    json({
      ...cdx,
      components: [lodash],
      dependencies: Array.from({ length: 3_000 }, (_, index) => ({
        ref: `r${index}`,
        dependsOn: [`r${index + 1}`],
      })),
    }),
  ],
  ['the same component 1,500 times', json({ ...cdx, components: Array(1_500).fill(lodash) })],
  ['1,900 levels of components', nested(1_900)],
  [
    'a root with a name of 300 letters',
    json({ ...cdx, metadata: { component: { type: 'application', name: 'x'.repeat(300) } } }),
  ],
  [
    'a root with a blank name',
    json({ ...cdx, metadata: { component: { type: 'application', name: ' ' } } }),
  ],
  ['SPDX without packages', json(spdx)],
  ['SPDX 3 without packages', spdx3()],
  [
    'SPDX 3 whose relationships and collections turn in a circle',
    spdx3(
      spdx3Package,
      { type: 'Bom', spdxId: 'urn:b', rootElement: ['urn:b'] },
      { type: 'Relationship', from: 'urn:a', relationshipType: 'dependsOn', to: ['urn:a', 'x'] },
    ),
  ],
  [
    'SPDX whose relationships turn in a circle and lead nowhere',
    json({
      ...spdx,
      packages: [spdxPackage],
      relationships: [
        {
          spdxElementId: 'SPDXRef-a',
          relationshipType: 'DEPENDS_ON',
          relatedSpdxElement: 'SPDXRef-a',
        },
        { spdxElementId: 'SPDXRef-a', relationshipType: 'UNHEARD_OF', relatedSpdxElement: 'NONE' },
        { spdxElementId: 'x', relationshipType: 'DESCRIBES', relatedSpdxElement: '' },
      ],
    }),
  ],
  ['SPDX with the same id twice', json({ ...spdx, packages: [spdxPackage, spdxPackage] })],
]);

const tooMany: BadRequest[] = documents({ status: 413, code: 'too_many_components' }, [
  ['10,000 levels of components', nested(10_000)],
  [
    '2,001 components',
    json({
      ...cdx,
      components: Array.from({ length: 2_001 }, (_, n) => ({ type: 'library', name: `a${n}` })),
    }),
  ],
  [
    '2,001 components in one another by twos',
    json({ ...cdx, components: Array(1_001).fill({ ...lodash, components: [lodash] }) }),
  ],
  [
    '2,002 SPDX packages',
    json({
      ...spdx,
      packages: Array.from({ length: 2_002 }, (_, n) => ({
        ...spdxPackage,
        SPDXID: `SPDXRef-${n}`,
      })),
    }),
  ],
]);

export const sbomDocuments: BadRequest[] = [
  ...noJson,
  ...brokenGzip,
  ...noFormat,
  ...noVersion,
  ...badCycloneDx,
  ...badSpdx,
  ...odd,
  ...tooMany,
];
