import type { JsonObject } from '../json';
import {
  accepted,
  component,
  cycloneDx,
  purlRef,
  relationship,
  spdx,
  spdx3,
  spdx3Package,
  spdx3Relationship,
  spdxPackage,
} from '../testing/documents';
import { qualityReport } from './quality-report';

const report = (document: JsonObject) => qualityReport(accepted(document).quality);
const present = (document: JsonObject) =>
  Object.fromEntries(report(document).elements.map((one) => [one.element, one.present]));
const complete = {
  name: 2,
  version: 2,
  supplier: 2,
  supplier_contact: 2,
  identifier: 2,
  dependencies: 2,
  license: 2,
  hash: 2,
  filename: 2,
  file_properties: 2,
  author: 1,
  author_contact: 1,
  timestamp: 1,
  spec_version: 1,
};

const sha512 = 'ab'.repeat(64);
const property = (name: string, value: string) => ({ name: `bsi:component:${name}`, value });
const full = (name: string) =>
  component(name, {
    'bom-ref': name,
    purl: `pkg:npm/${name}@1.0.0`,
    supplier: { name: 'Example', url: ['https://example.org'] },
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-512', content: sha512 }],
    properties: [
      property('filename', `${name}.tgz`),
      property('executable', 'non-executable'),
      property('archive', 'archive'),
      property('structured', 'structured'),
    ],
  });
const cdx = (changes: JsonObject = {}) =>
  cycloneDx({
    metadata: {
      timestamp: '2026-01-01T00:00:00Z',
      authors: [{ name: 'Jo', email: 'jo@example.org' }],
      component: full('root'),
    },
    components: [full('a')],
    dependencies: [{ ref: 'root', dependsOn: ['a'] }],
    ...changes,
  });

const file = (name: string) => ({
  type: 'software_File',
  spdxId: `urn:file-${name}`,
  name: `${name}.tgz`,
  verifiedUsing: [{ type: 'Hash', algorithm: 'sha512', hashValue: sha512 }],
  software_additionalPurpose: ['archive'],
});
const fullSpdx3 = (changes: JsonObject = {}): JsonObject => {
  const document = spdx3([
    ...['root', 'a'].flatMap((name) => [
      spdx3Package(name, {
        software_packageVersion: '1',
        software_packageUrl: `pkg:npm/${name}@1`,
        suppliedBy: 'urn:org',
        ...changes,
      }),
      file(name),
      spdx3Relationship(`${name} hasDistributionArtifact file-${name}`),
      spdx3Relationship(`${name} hasDeclaredLicense mit`),
    ]),
    spdx3Relationship('root dependsOn a'),
    {
      type: 'simplelicensing_LicenseExpression',
      spdxId: 'urn:mit',
      simplelicensing_licenseExpression: 'MIT',
    },
    {
      type: 'Organization',
      spdxId: 'urn:org',
      name: 'Example',
      externalIdentifier: [
        {
          type: 'ExternalIdentifier',
          externalIdentifierType: 'email',
          identifier: 'a@example.org',
        },
      ],
    },
  ]);
  const [info] = document['@graph'] as JsonObject[];
  Object.assign(info ?? {}, { created: '2026-01-01T00:00:00Z', createdBy: ['urn:org'] });
  return document;
};

test.each<[string, JsonObject]>([
  ['CycloneDX', cdx()],
  ['SPDX 3', fullSpdx3()],
])('Q1 a %s document that states everything has 100 points and no reasons', (_what, document) => {
  expect(present(document)).toEqual(complete);
  const { score, ntia_score, bsi_score, elements } = report(document);
  expect([score, ntia_score, bsi_score]).toEqual([100, 100, 100]);
  expect(elements.map(({ reason }) => reason)).toEqual(elements.map(() => null));
});

test('Q1 SPDX 2.3 states all of the NTIA, but neither the properties of files nor a new format', () => {
  const full23 = (name: string) =>
    spdxPackage(name, {
      versionInfo: '1',
      supplier: 'Organization: Example (info@example.org)',
      licenseDeclared: 'MIT',
      packageFileName: `${name}.tgz`,
      checksums: [{ algorithm: 'SHA512', checksumValue: sha512 }],
      externalRefs: [purlRef(`pkg:npm/${name}@1`)],
    });
  const document = spdx({
    creationInfo: {
      created: '2026-01-01T00:00:00Z',
      creators: ['Tool: x', 'Person: Jo (jo@x.org)'],
    },
    packages: [full23('root'), full23('a')],
    relationships: [
      relationship('SPDXRef-DOCUMENT DESCRIBES SPDXRef-root'),
      relationship('SPDXRef-root DEPENDS_ON SPDXRef-a'),
    ],
  });
  expect(present(document)).toEqual({ ...complete, file_properties: 0, spec_version: 0 });
  expect(report(document)).toMatchObject({ ntia_score: 100, bsi_score: 81, score: 85 });
});

const without = (...names: string[]) => {
  const left: JsonObject = { ...full('a') };
  for (const name of names) delete left[name];
  return left;
};
const nobody = { metadata: { component: full('root') } };

test.each<[string, JsonObject, JsonObject]>([
  ['no version', { components: [without('version', 'purl')] }, { version: 1, identifier: 1 }],
  ['a version in the purl alone', { components: [without('version')] }, { version: 2 }],
  [
    'a CPE instead of a purl',
    { components: [{ ...without('purl'), cpe: 'cpe:2.3:a:b:c:1:*' }] },
    { identifier: 2 },
  ],
  [
    'a supplier without address',
    { components: [{ ...full('a'), supplier: { name: 'X' } }] },
    { supplier: 2, supplier_contact: 1 },
  ],
  ['no supplier', { components: [without('supplier')] }, { supplier: 1, supplier_contact: 1 }],
  ['a publisher', { components: [{ ...without('supplier'), publisher: 'X' }] }, { supplier: 2 }],
  [
    'a weaker hash',
    { components: [{ ...full('a'), hashes: [{ alg: 'SHA-256', content: 'ab'.repeat(32) }] }] },
    { hash: 1 },
  ],
  [
    'the hash of the distributed file',
    {
      components: [
        {
          ...without('hashes'),
          externalReferences: [
            {
              type: 'distribution',
              url: 'https://x',
              hashes: [{ alg: 'SHA-512', content: sha512 }],
            },
          ],
        },
      ],
    },
    { hash: 2 },
  ],
  ['no licence', { components: [without('licenses')] }, { license: 1 }],
  [
    'two of three properties',
    {
      components: [
        { ...full('a'), properties: [property('filename', 'a'), property('archive', 'archive')] },
      ],
    },
    { filename: 2, file_properties: 1 },
  ],
  ['no graph', { dependencies: [] }, { dependencies: 0 }],
  [
    'a component outside of the graph',
    { components: [full('a'), full('b')] },
    { dependencies: 2, name: 3 },
  ],
  [
    'a component that depends on nothing',
    { dependencies: [{ ref: 'root' }, { ref: 'a' }] },
    { dependencies: 2 },
  ],
  [
    'a tool as the author',
    { metadata: { ...nobody.metadata, tools: [{ name: 'x' }] } },
    { author: 0, timestamp: 0 },
  ],
  [
    'a manufacturer',
    { metadata: { ...nobody.metadata, manufacturer: { name: 'X' } } },
    { author: 1, author_contact: 0 },
  ],
  ['an older version', { specVersion: '1.5' }, { spec_version: 0 }],
])('Q2 with %s the counts of CycloneDX follow', (_what, changes, expected) => {
  expect(present(cdx(changes))).toMatchObject(expected);
});

test.each<[string, JsonObject, JsonObject]>([
  [
    'NOASSERTION',
    { supplier: 'NOASSERTION', licenseDeclared: 'NOASSERTION' },
    { supplier: 0, license: 0 },
  ],
  [
    'a nested identifier of another kind',
    { externalRefs: [{ ...purlRef('x'), referenceType: 'url' }] },
    { identifier: 0 },
  ],
])('Q2 with %s the counts of SPDX 2 follow', (_what, changes, expected) => {
  expect(present(spdx({ packages: [spdxPackage('a', changes)] }))).toMatchObject(expected);
});

test('Q2 SPDX 3 with a tool as supplier and no assertion of a licence', () => {
  const counts = present(
    spdx3([
      spdx3Package('a', { suppliedBy: 'urn:tool' }),
      { type: 'Tool', spdxId: 'urn:tool', name: 'x' },
      spdx3Relationship('a hasConcludedLicense x', {
        to: ['https://spdx.org/rdf/3.0.1/terms/Licensing/NoAssertion'],
      }),
    ]),
  );
  expect(counts).toMatchObject({ name: 1, supplier: 0, license: 0, author: 0, timestamp: 0 });
});

test('Q3 the score is a mean, and reasons say how many components lack what', () => {
  const { score, ntia_score, bsi_score, elements } = report(
    cdx({ components: [full('a'), without('licenses', 'hashes'), component('c')] }),
  );
  expect([score, ntia_score, bsi_score]).toEqual([82, 89, 81]);
  const reasonOf = (name: string) => elements.find(({ element }) => element === name)?.reason;
  expect(reasonOf('license')).toBe('2 of 4 components state no licence.');
  expect(reasonOf('identifier')).toBe(
    '1 of 4 components states no unique identifier, such as a purl or CPE.',
  );
});

test('Q3 a document without components lacks them', () => {
  const { score, elements } = report(cycloneDx());
  expect(score).toBe(7);
  expect(elements[0]).toMatchObject({ total: 0, reason: 'The document has no components.' });
});

test('Q3 one missing element of many is not rounded up to 100', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => full(`p${index}`));
  const dependencies = [{ ref: 'root', dependsOn: many.map((one) => one['bom-ref']) }];
  const components = [...many.slice(1), { ...many[0], hashes: [] }];
  expect(report(cdx({ components, dependencies })).score).toBe(99);
});

test.each<[string, JsonObject]>([
  ['suppliers', { components: [{ ...full('a'), supplier: 7 }] }],
  ['metadata', { metadata: { authors: [null], component: full('root') } }],
])('invalid %s are refused, not counted', (_what, changes) => {
  expect(() => accepted(cdx(changes))).toThrow('invalid_sbom');
});

test('fields of SPDX that are not validated are forgiven', () => {
  const packages = [
    spdxPackage('a', { supplier: [7], checksums: { a: 1 }, packageFileName: null }),
  ];
  expect(present(spdx({ creationInfo: 'x', packages }))).toMatchObject({
    name: 1,
    hash: 0,
    author: 0,
  });
});
