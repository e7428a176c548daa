import { CYCLONEDX_VERSIONS, SPDX_VERSIONS } from './recognise-format';
import { accepted, component, cycloneDx, httpError, spdx, spdxPackage } from './testing/documents';

describe('the format of a document', () => {
  test.each(CYCLONEDX_VERSIONS)('CycloneDX %s is read', (specVersion) => {
    const sbom = accepted(cycloneDx({ specVersion, components: [component('a')] }));
    expect(sbom).toMatchObject({ format: 'cyclonedx', specVersion });
    expect(sbom.dependencies).toHaveLength(1);
  });

  test.each(SPDX_VERSIONS)('SPDX %s is read', (specVersion) => {
    const sbom = accepted(
      spdx({ spdxVersion: `SPDX-${specVersion}`, packages: [spdxPackage('a')] }),
    );
    expect(sbom).toMatchObject({ format: 'spdx', specVersion, rootName: null });
    expect(sbom.dependencies).toHaveLength(1);
  });

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
    [{ '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] }],
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
