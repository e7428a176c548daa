import type { JsonObject } from './json';
import { CYCLONEDX_VERSIONS, SPDX2_VERSIONS } from './recognise-format';
import {
  accepted,
  component,
  cycloneDx,
  httpError,
  spdx,
  spdx3Package,
  spdxPackage,
} from './testing/documents';

describe('the format of a document', () => {
  test.each(CYCLONEDX_VERSIONS)('CycloneDX %s is read', (specVersion) => {
    const sbom = accepted(cycloneDx({ specVersion, components: [component('a')] }));
    expect(sbom).toMatchObject({ format: 'cyclonedx', specVersion });
    expect(sbom.dependencies).toHaveLength(1);
  });

  test.each(SPDX2_VERSIONS)('SPDX %s is read', (specVersion) => {
    const sbom = accepted(
      spdx({ spdxVersion: `SPDX-${specVersion}`, packages: [spdxPackage('a')] }),
    );
    expect(sbom).toMatchObject({ format: 'spdx', specVersion, rootName: null });
    expect(sbom.dependencies).toHaveLength(1);
  });

  const context = 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld';
  test.each<[string, JsonObject, string]>([
    ['its context', { '@context': context }, '3.0.1'],
    ['a list with its context', { '@context': [{ p: 'https://example.org/' }, context] }, '3.0.1'],
    ['version 3.0 of creation information', creationInfo('3.0'), '3.0'],
    ['version 3.0.1 of creation information', creationInfo('3.0.1'), '3.0.1'],
  ])('SPDX 3 is known by %s', (_title, document, specVersion) => {
    const elements = (document['@graph'] ?? []) as JsonObject[];
    const sbom = accepted({ ...document, '@graph': [...elements, spdx3Package('a')] });
    expect(sbom).toMatchObject({ format: 'spdx', specVersion, rootName: null });
    expect(sbom.dependencies).toHaveLength(1);
  });

  function creationInfo(specVersion: string): JsonObject {
    return {
      '@context': context,
      '@graph': [
        { type: 'CreationInfo', '@id': '_:other', specVersion: '9' },
        { type: 'SpdxDocument', spdxId: 'urn:doc', creationInfo: '_:own' },
        { type: 'CreationInfo', '@id': '_:own', specVersion },
      ],
    };
  }

  test.each<[unknown]>([
    [null],
    [7],
    ['"text"'],
    [[]],
    [[cycloneDx()]],
    [{}],
    [{ name: 'package', version: '1.0.0' }],
    [cycloneDx({ bomFormat: 'cyclonedx' })],
    [{ '@context': ['https://example.org/context'] }],
  ])('%j is neither CycloneDX nor SPDX', (document) => {
    expect(httpError(document).code).toBe('unsupported_sbom_format');
  });

  test('a document wrapped in another object is told to be unwrapped', () => {
    expect(httpError({ sbom: spdx() }).detail).toContain('what stands inside "sbom"');
  });

  test.each<[unknown]>([
    [cycloneDx({ specVersion: '1.1' })],
    [cycloneDx({ specVersion: '2.0' })],
    [cycloneDx({ specVersion: '' })],
    [spdx({ spdxVersion: 'SPDX-2.1' })],
    [spdx({ spdxVersion: '2.3' + '!'.repeat(5000) })],
    [{ '@context': 'https://spdx.org/rdf/3.1/spdx-context.jsonld', '@graph': [] }],
    [{ '@context': 'https://spdx.org/rdf/3.0.0/spdx-context.jsonld', '@graph': [] }],
    [creationInfo('3.0.0')],
    [creationInfo('4')],
    [{ '@graph': [{ type: 'SpdxDocument', creationInfo: { specVersion: '3.0.1' } }] }],
  ])('a version that is not accepted is named with those that are', (document) => {
    const { code, detail } = httpError(document);
    expect(code).toBe('unsupported_sbom_version');
    expect(detail).toContain('accepted are');
    expect(detail.length).toBeLessThan(200);
  });

  test.each<[unknown]>([
    [cycloneDx({ specVersion: 1.5 })],
    [cycloneDx({ specVersion: undefined })],
    [spdx({ spdxVersion: 2.3 })],
    [spdx({ spdxVersion: null })],
  ])('a version that is no text makes the document invalid', (document) => {
    expect(httpError(document).code).toBe('invalid_sbom');
  });
});
