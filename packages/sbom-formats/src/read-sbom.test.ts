import * as fc from 'fast-check';

import type { JsonObject } from './json';
import { createSbomReader } from './read-sbom';
import {
  accepted,
  component,
  cycloneDx,
  purlRef,
  httpError,
  relationship,
  spdx,
  spdx3,
  spdx3Package,
  spdx3Relationship,
  spdxPackage,
  toBytes,
} from './testing/documents';

describe('what is not forgiven in CycloneDX', () => {
  test.each<[string, JsonObject, string]>([
    [
      'a component without a name',
      { components: [{ type: 'library' }] },
      'components[0] lacks "name"',
    ],
    ['a component without a type', { components: [{ name: 'a' }] }, 'components[0] lacks "type"'],
    [
      'an unknown type',
      { components: [component('a', { type: 'lib' })] },
      'components[0].type must be one of "application"',
    ],
    [
      'a name that is no text',
      { components: [component('a', { name: 1 })] },
      'components[0].name must be string',
    ],
    [
      'a purl that is no text',
      { components: [component('a', { purl: null })] },
      'components[0].purl must be string',
    ],
    ['components that are no list', { components: {} }, 'components must be array'],
    ['metadata that is a list', { metadata: [] }, 'metadata must be object'],
    [
      'a root without a name',
      { metadata: { component: { type: 'application' } } },
      'metadata.component lacks "name"',
    ],
    [
      'a dependency without ref',
      { dependencies: [{ dependsOn: [] }] },
      'dependencies[0] lacks "ref"',
    ],
    [
      'a nested component without a name',
      { components: [component('a', { components: [{ type: 'file' }] })] },
      'components[0].components[0] lacks "name"',
    ],
    [
      'a licence with neither id nor name',
      { components: [component('a', { licenses: [{ license: {} }] })] },
      'components[0].licenses[0].license lacks "id"',
    ],
    [
      'a licence with both id and name',
      { components: [component('a', { licenses: [{ license: { id: 'MIT', name: 'MIT' } }] })] },
      'components[0].licenses[0].license must have exactly one of the forms',
    ],
    ['a version that is text', { version: '1' }, 'version must be integer'],
  ])('%s', (_title, changes, place) => {
    for (const specVersion of ['1.4', '1.5', '1.6', '1.7'])
      expect(httpError(cycloneDx({ specVersion, ...changes }))).toEqual({
        code: 'invalid_sbom',
        detail: expect.stringContaining(`not valid CycloneDX ${specVersion}: ${place}`) as string,
      });
  });

  test('a component without a version where the version of the format requires one', () => {
    const components = [{ type: 'library', name: 'a' }];
    expect(httpError(cycloneDx({ specVersion: '1.3', components })).detail).toContain(
      'lacks "version"',
    );
    expect(accepted(cycloneDx({ specVersion: '1.4', components })).dependencies).toHaveLength(1);
  });
});

describe('what is forgiven in CycloneDX', () => {
  test.each<[string, JsonObject]>([
    ['additional properties', { extra: 1, components: [component('a', { extra: {} })] }],
    ['format', { metadata: { timestamp: 'yesterday' } }],
    ['pattern', { serialNumber: 'no urn', components: [component('a', { 'mime-type': '?' })] }],
    [
      'unknown licence ids',
      { components: [component('a', { licenses: [{ license: { id: 'No-Such-1.0' } }] })] },
    ],
    ['equal components', { components: [component('a'), component('a')] }],
    [
      'equal dependencies',
      {
        dependencies: [
          { ref: 'a', dependsOn: ['b', 'b'] },
          { ref: 'a', dependsOn: ['b', 'b'] },
        ],
      },
    ],
  ])('%s', (_title, changes) => {
    for (const specVersion of ['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'])
      expect(accepted(cycloneDx({ specVersion, ...changes })).format).toBe('cyclonedx');
  });
});

describe('what is not forgiven in SPDX', () => {
  test.each<[string, JsonObject, string]>([
    ['no SPDXID', { SPDXID: undefined }, 'the document lacks "SPDXID"'],
    [
      'a package without a name',
      { packages: [{ SPDXID: 'SPDXRef-a' }] },
      'packages[0] lacks "name"',
    ],
    ['a package without an id', { packages: [{ name: 'a' }] }, 'packages[0] lacks "SPDXID"'],
    ['packages that are no list', { packages: {} }, 'packages must be array'],
    [
      'a version that is a number',
      { packages: [spdxPackage('a', { versionInfo: 1 })] },
      'packages[0].versionInfo must be string',
    ],
    [
      'a licence that is a list',
      { packages: [spdxPackage('a', { licenseDeclared: ['MIT'] })] },
      'packages[0].licenseDeclared must be string',
    ],
    [
      'an external reference without a locator',
      { packages: [spdxPackage('a', { externalRefs: [{ referenceType: 'purl' }] })] },
      'packages[0].externalRefs[0] lacks "referenceLocator"',
    ],
    [
      'a relationship without a type',
      { relationships: [{ spdxElementId: 'a', relatedSpdxElement: 'b' }] },
      'relationships[0] lacks "relationshipType"',
    ],
    [
      'documentDescribes that is text',
      { documentDescribes: 'SPDXRef-a' },
      'documentDescribes must be array',
    ],
  ])('%s', (_title, changes, place) => {
    for (const version of ['2.2', '2.3'])
      expect(httpError(spdx({ spdxVersion: `SPDX-${version}`, ...changes }))).toEqual({
        code: 'invalid_sbom',
        detail: expect.stringContaining(`not valid SPDX ${version}: ${place}`) as string,
      });
  });
});

describe('what is forgiven in SPDX', () => {
  test.each<[string, JsonObject]>([
    ['additional properties', { extra: 1, packages: [spdxPackage('a', { extra: [] })] }],
    [
      'fields that are not read, missing',
      {
        creationInfo: undefined,
        dataLicense: undefined,
        name: undefined,
        packages: [spdxPackage('a', { downloadLocation: undefined })],
      },
    ],
    [
      'fields that are not read, malformed',
      {
        creationInfo: 7,
        files: 'none',
        packages: [spdxPackage('a', { filesAnalyzed: 'no', checksums: {} })],
      },
    ],
    ['a version 2.2 without licences', { spdxVersion: 'SPDX-2.2', packages: [spdxPackage('a')] }],
  ])('%s', (_title, changes) => {
    expect(accepted(spdx(changes)).format).toBe('spdx');
  });
});

describe('the detail of an invalid document', () => {
  test('names the first three places and no more', () => {
    const components = [component('a'), {}, component('b'), 7, component('c', { name: 1 }), {}];
    expect(httpError(cycloneDx({ components })).detail).toBe(
      'The document is not valid CycloneDX 1.6: components[1] lacks "type"; components[3] must be object; components[4].name must be string.',
    );
  });

  test('stays short for a document that is wrong everywhere', () => {
    expect(httpError(cycloneDx({ components: Array(50_000).fill(1) })).detail.length).toBeLessThan(
      200,
    );
  });
});

describe('the number of components', () => {
  const nested = component('a', { components: [component('b', { components: [component('c')] })] });

  test('counts nested ones and parts of the root, but not the root', () => {
    const metadata = { component: component('root', { components: [component('part')] }) };
    const document = cycloneDx({ metadata, components: [nested, component('root')] });
    expect(accepted(document).dependencies).toHaveLength(4);
    expect(httpError(document, 3)).toEqual({
      code: 'too_many_components',
      detail: 'The document has more than 3 components.',
    });
    expect(createSbomReader().read(toBytes(document), { maxComponents: 4 }).ok).toBe(true);
  });

  test('is exact where no root is left out', () => {
    const documents = [
      cycloneDx({ components: ['a', 'b', 'c'].map((name) => component(name)) }),
      spdx({ packages: ['a', 'b', 'c'].map((name) => spdxPackage(name)) }),
    ];
    for (const document of documents) {
      expect(httpError(document, 2).code).toBe('too_many_components');
      expect(createSbomReader().read(toBytes(document), { maxComponents: 3 }).ok).toBe(true);
    }
  });

  test('does not count the root of an SPDX document', () => {
    const document = spdx({
      packages: [spdxPackage('root'), spdxPackage('a'), spdxPackage('b')],
      relationships: [relationship('SPDXRef-DOCUMENT DESCRIBES SPDXRef-root')],
    });
    expect(createSbomReader().read(toBytes(document), { maxComponents: 2 }).ok).toBe(true);
    expect(httpError(document, 1).code).toBe('too_many_components');
  });

  test('does not count the root of an SPDX 3 document, nor its files', () => {
    const files = Array.from({ length: 9 }, (_unused, at) => ({
      type: 'software_File',
      spdxId: `urn:${at}`,
    }));
    const document = spdx3([...files, ...['root', 'a', 'b'].map((name) => spdx3Package(name))]);
    expect(createSbomReader().read(toBytes(document), { maxComponents: 2 }).ok).toBe(true);
    expect(httpError(document, 1).code).toBe('too_many_components');
  });

  test('is judged before the document is validated', () => {
    expect(
      httpError(spdx3(Array(9).fill({ type: 'software_Package', spdxId: 'urn:a' })), 5).code,
    ).toBe('too_many_components');
    expect(httpError(cycloneDx({ components: Array(9).fill({}) }), 5).code).toBe(
      'too_many_components',
    );
    expect(httpError(spdx({ packages: Array(9).fill(null) }), 5).code).toBe('too_many_components');
  });

  test('is judged at any depth, and what is nested too deeply to validate is refused', () => {
    const depth = 10_000;
    const open = '{"type":"library","name":"a","components":['.repeat(depth);
    const text = `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${open}${']}'.repeat(depth)}]}`;
    expect(httpError(text, 9_000).code).toBe('too_many_components');
    expect(httpError(text)).toEqual({
      code: 'invalid_sbom',
      detail: 'The CycloneDX 1.6 document is nested too deeply.',
    });
  });
});

describe('the name of the root', () => {
  const named = (name: string) => accepted(cycloneDx({ metadata: { component: component(name) } }));

  test.each([
    ['web shop', 'web shop'],
    [' web shop ', ' web shop '],
    ['', null],
    ['  ', null],
    ['a'.repeat(300), 'a'.repeat(255)],
    ['😀'.repeat(300), '😀'.repeat(255)],
    ['half \ud800 pair', 'half \ufffd pair'],
  ])('%j becomes %j', (written, kept) => {
    expect(named(written).rootName).toBe(kept);
  });

  test('is null when there is no root', () => {
    expect(accepted(cycloneDx()).rootName).toBeNull();
    expect(accepted(cycloneDx({ metadata: {} })).rootName).toBeNull();
  });
});

describe('any bytes at all', () => {
  const reader = createSbomReader();
  const samples = [
    cycloneDx({
      metadata: { component: component('root', { 'bom-ref': 'root' }) },
      components: [
        component('a', {
          'bom-ref': 'a',
          purl: 'pkg:npm/a@1',
          licenses: [{ license: { id: 'MIT' } }],
        }),
        component('b', { components: [component('c', { licenses: [{ expression: 'MIT' }] })] }),
      ],
      dependencies: [{ ref: 'root', dependsOn: ['a'] }],
    }),
    spdx({
      documentDescribes: ['SPDXRef-root'],
      packages: [spdxPackage('root'), spdxPackage('a', { externalRefs: [purlRef('pkg:npm/a@1')] })],
      relationships: [relationship('SPDXRef-root DEPENDS_ON SPDXRef-a')],
    }),
    spdx3(
      [
        spdx3Package('root', { software_packageUrl: 'pkg:npm/root@1' }),
        spdx3Package('a', { externalIdentifier: ['p:id'] }),
        {
          type: 'ExternalIdentifier',
          spdxId: 'p:id',
          externalIdentifierType: 'packageUrl',
          identifier: 'pkg:npm/a@1',
        },
        spdx3Relationship('root dependsOn a'),
        spdx3Relationship('a hasDeclaredLicense set'),
        {
          type: 'expandedlicensing_ConjunctiveLicenseSet',
          spdxId: 'urn:set',
          expandedlicensing_member: ['https://spdx.org/licenses/MIT', 'urn:set'],
        },
      ],
      ['https://spdx.org/rdf/3.0.1/spdx-context.jsonld', { p: 'https://example.org/' }],
    ),
  ].map((document) => JSON.stringify(document));

  test('are answered and never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(reader.read(bytes, { maxComponents: 10 }).ok).toBe(false);
      }),
    );
  });

  test('are answered when they are a document with a part replaced by anything', () => {
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom(null, 0, '', [], {}, [[]], [{}]));
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), values, (sample, nth, value) => {
        const text = replaceNthValue(sample, nth, value);
        const result = reader.read(toBytes(text), { maxComponents: 10 });
        if (result.ok) expect(result.sbom.digest).toMatch(/^[0-9a-f]{64}$/);
        else expect(result.detail).toMatch(/\.$/);
      }),
      { numRuns: 500 },
    );
  });

  test('are answered when they are a document with a byte changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.nat(),
        fc.integer({ min: 0, max: 255 }),
        (sample, at, byte) => {
          const bytes = toBytes(sample);
          bytes[at % bytes.length] = byte;
          expect(typeof reader.read(bytes, { maxComponents: 10 }).ok).toBe('boolean');
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Replaces the nth value, counted through the whole document as JSON.parse visits it. */
function replaceNthValue(text: string, nth: number, replacement: unknown): string {
  let count = 0;
  JSON.parse(text, () => void (count += 1));
  let position = 0;
  const changed: unknown = JSON.parse(text, (_key, value: unknown) => {
    position += 1;
    return position - 1 === nth % count ? replacement : value;
  });
  return JSON.stringify(changed);
}
