import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { httpError, toBytes } from './testing/documents';

const JSON_FORMATS: [format: string, document: object, says: RegExp][] = [
  [
    'syft-json',
    {
      artifacts: [],
      schema: { version: '16.0.0', url: 'https://raw.githubusercontent.com/anchore/syft/x.json' },
    },
    /^The file is syft-json; .*syft convert/,
  ],
  ['FPF', { version: '1.2', meta: { application: 'Dependency-Track' } }, /FPF.*Download BOM/],
  ['OpenVEX', { '@context': 'https://openvex.dev/ns/v0.2.0' }, /^The document is OpenVEX/],
  [
    'in-toto',
    { _type: 'https://in-toto.io/Statement/v1', predicateType: 'x', predicate: {} },
    /in-toto attestation; .*jq \.predicate/,
  ],
  [
    'DSSE',
    { payloadType: 'application/vnd.in-toto+json', payload: 'e30=', signatures: [] },
    /\(DSSE\); .*base64 -d/,
  ],
  ['Sigstore', { mediaType: 'x', dsseEnvelope: {} }, /Sigstore bundle\); .*base64 -d/],
  ['CSAF', { document: { category: 'csaf_vex', csaf_version: '2.0' } }, /^The document is CSAF/],
];

const FILES: [format: string, text: string | Buffer, says: RegExp][] = [
  [
    'CycloneDX XML',
    '\ufeff<?xml version="1.0"?>\n<!-- made -->\n<bom serialNumber="x" xmlns="http://cyclonedx.org/schema/bom/1.6">',
    /^CycloneDX XML is not accepted; .*cyclonedx convert/,
  ],
  [
    'CycloneDX XML with a prefix',
    '<c:bom xmlns:c="http://cyclonedx.org/schema/bom/1.6"/>',
    /^CycloneDX XML is not accepted/,
  ],
  [
    'CycloneDX Protobuf',
    Buffer.from('\n\u00031.6\u0010\u0001\u001a\u0085', 'latin1'),
    /^CycloneDX Protobuf is not accepted; .*cyclonedx convert/,
  ],
  [
    'SPDX tag-value',
    '# made\nSPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0',
    /^SPDX tag-value is not accepted; .*pyspdxtools/,
  ],
  [
    'SPDX RDF',
    '<rdf:RDF xmlns:spdx="http://spdx.org/rdf/terms#"><spdx:SpdxDocument/></rdf:RDF>',
    /^SPDX RDF is not accepted; .*pyspdxtools/,
  ],
  ['SPDX YAML', '---\nSPDXID: x\nspdxVersion: "SPDX-2.3"\n', /^SPDX YAML is not accepted; /],
  ['zip', Buffer.from('PK\u0003\u0004\u0014\0\u0008', 'latin1'), /^The file is compressed .*gzip/],
  ['bzip2', Buffer.from('BZh91AY&SY\u00ff', 'latin1'), /^The file is compressed/],
  ['gzip in gzip', gzipSync('{}'), /^The file is compressed/],
  ['xz', Buffer.from('fd377a585a000004', 'hex'), /^The file is compressed/],
  ['Zstandard', Buffer.from('28b52ffd2000', 'hex'), /^The file is compressed/],
  ['CycloneDX YAML', 'bomFormat: CycloneDX\n', /^CycloneDX in YAML is not accepted; .*yq/],
];

test.each([...JSON_FORMATS, ...FILES])(
  '%s is rejected by its name, with what to do',
  (_format, document, says) => {
    const bytes = Buffer.isBuffer(document) ? document : toBytes(document);
    expect(httpError(bytes)).toEqual({
      code: 'unsupported_sbom_format',
      detail: expect.stringMatching(says) as string,
    });
  },
);

test('other text stays what it is: no JSON', () => {
  for (const text of ['<html/>', 'hello', '<bom/>', 'SPDXVersion', `${' '.repeat(20_000)}x`])
    expect(httpError(toBytes(text)).code).toBe('malformed_json');
  expect(httpError(toBytes(`<bom ${'<bom '.repeat(20_000)}`)).code).toBe('malformed_json');
});

const FOLDER = join(__dirname, '../../../../shared/data');
const real = (folder: string): string[] =>
  readdirSync(join(FOLDER, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.json(\.gz)?$/.test(entry.name) && !entry.name.includes('deleted'),
    )
    .map((entry) => join(entry.parentPath, entry.name));

if (!existsSync(join(FOLDER, 'vex'))) {
  test.skip('real documents: skipped, there is no folder ../shared/data/vex', () => undefined);
} else {
  test.each<[string, RegExp]>([
    ['vex/openvex/valid', /OpenVEX/],
    ['vex/csaf/vendors', /CSAF/],
    ['vex/csaf/examples', /CSAF/],
    ['dtrack/fpf', /FPF/],
  ])('real documents of %s are rejected by their name', (folder, says) => {
    const unnamed = real(folder).filter((file) => {
      const bytes = readFileSync(file);
      const { detail } = httpError(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
      return !says.test(detail);
    });
    expect(unnamed).toEqual([]);
  });
}
