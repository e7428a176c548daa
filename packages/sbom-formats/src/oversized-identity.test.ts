import { MAX_IDENTITY_BYTES } from './oversized-identity';
import {
  accepted,
  component,
  cycloneDx,
  purlRef,
  httpError,
  spdx,
  spdxPackage,
} from './testing/documents';

const withName = (name: string) => cycloneDx({ components: [component(name)] });
const versionBytes = Buffer.byteLength('1.0.0');

test('a name of a megabyte is accepted, and one at the very bound', () => {
  for (const bytes of [1_000_000, MAX_IDENTITY_BYTES - versionBytes])
    expect(accepted(withName('x'.repeat(bytes))).dependencies).toHaveLength(1);
});

test('a component whose name, version and purl are too large to be stored is refused, and the detail stays short', () => {
  const purl = `pkg:npm/a@1?x=${'y'.repeat(MAX_IDENTITY_BYTES)}`;
  const documents = [
    withName('x'.repeat(MAX_IDENTITY_BYTES - versionBytes + 1)),
    // Three bytes each in UTF-8.
    withName('\u20ac'.repeat(MAX_IDENTITY_BYTES / 3 + 1)),
    // Later versions bound the length of a version themselves.
    cycloneDx({
      specVersion: '1.4',
      components: [component('a', { version: 'x'.repeat(MAX_IDENTITY_BYTES) })],
    }),
    cycloneDx({ components: [component('a'), component('a', { purl })] }),
    spdx({ packages: [spdxPackage('a', { externalRefs: [purlRef(purl)] })] }),
  ];
  for (const document of documents) {
    const { code, detail } = httpError(document);
    expect({ code, detail }).toEqual({
      code: 'invalid_sbom',
      detail: expect.stringContaining('have more than 4 MiB together') as string,
    });
    expect(detail.length).toBeLessThan(200);
  }
});
