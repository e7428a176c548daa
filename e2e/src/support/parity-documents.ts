import { maxUploadBytes } from '../statuses/cases-of-every-operation';

/** A document for both transports: `refused` is the code that it must be refused with, null when it is good. */
export interface ParityDocument {
  what: string;
  text: string;
  refused: string | null;
}

/** Bounds that the tests set, so that documents above them are small. */
export const parityBounds = { MAX_UPLOAD_BYTES: maxUploadBytes, MAX_COMPONENTS: 200 };

const component = { type: 'library', name: 'lodash', version: '4.17.15' };
const lodash = { ...component, purl: 'pkg:npm/lodash@4.17.15' };

function cycloneDx(own: object): object {
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [lodash], ...own };
}

function spdx(own: object): object {
  return {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'parity',
    dataLicense: 'CC0-1.0',
    documentNamespace: 'https://example.org/parity',
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: hand'] },
    packages: [
      {
        SPDXID: 'SPDXRef-lodash',
        name: 'lodash',
        versionInfo: '4.17.15',
        downloadLocation: 'NOASSERTION',
        filesAnalyzed: false,
        externalRefs: [
          {
            referenceCategory: 'PACKAGE-MANAGER',
            referenceType: 'purl',
            referenceLocator: 'pkg:npm/lodash@4.17.15',
          },
        ],
      },
    ],
    ...own,
  };
}

const json = (value: object): string => JSON.stringify(value);
const spdx3 = (version: string): string =>
  json({
    '@context': `https://spdx.org/rdf/${version}/spdx-context.jsonld`,
    '@graph': [
      {
        type: 'software_Package',
        spdxId: 'urn:lodash',
        name: 'lodash',
        software_packageUrl: 'pkg:npm/lodash@4.17.20',
      },
    ],
  });
const many = (count: number) =>
  Array.from({ length: count }, (_unused, at) => ({ ...component, name: `part-${at}` }));
const named = (name: string) => ({ metadata: { component: { type: 'application', name } } });

const good: [string, string][] = [
  ...['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'].map((specVersion): [string, string] => [
    `CycloneDX ${specVersion}`,
    json(cycloneDx({ specVersion })),
  ]),
  ...['2.2', '2.3'].map((version): [string, string] => [
    `SPDX ${version}`,
    json(spdx({ spdxVersion: `SPDX-${version}` })),
  ]),
  ['SPDX 3.0.1', spdx3('3.0.1')],
  ['a byte order mark', `\uFEFF${json(cycloneDx(named('marked')))}`],
  [
    'a key twice',
    json(cycloneDx({})).replace('"specVersion"', '"specVersion":"9.9","specVersion"'),
  ],
  ['a name beyond ASCII', json(cycloneDx(named('Käse \u{1F9C0} \u2028 "x"')))],
  ['a name longer than 255', json(cycloneDx(named('n\u{1F9C0}'.repeat(200))))],
  ['line breaks and blanks around it', `\r\n\t ${JSON.stringify(cycloneDx({}), null, 2)}\r\n `],
  ['parts within parts', json(cycloneDx({ components: [{ ...lodash, components: many(9) }] }))],
  ['no components', json(cycloneDx({ components: [] }))],
  ['unknown fields', json(cycloneDx({ 'x-own': { deep: [1, 2, 3] } }))],
  ['the same component twice', json(cycloneDx({ components: [lodash, lodash] }))],
  ['as many components as are allowed', json(cycloneDx({ components: many(200) }))],
];

const bad: [string, string, string][] = [
  ['no JSON', 'hello', 'malformed_json'],
  ['cut off JSON', json(cycloneDx({})).slice(0, -2), 'malformed_json'],
  ['two JSON values', `${json(cycloneDx({}))} {}`, 'malformed_json'],
  ['white space only', ' \r\n\t ', 'malformed_json'],
  ['a byte order mark only', '\uFEFF', 'malformed_json'],
  ['a zero byte behind it', `${json(cycloneDx({}))}\u0000`, 'malformed_json'],
  ['XML', '<?xml version="1.0"?><bom/>', 'malformed_json'],
  ['an empty object', '{}', 'unsupported_sbom_format'],
  ['a list', '[]', 'unsupported_sbom_format'],
  ['a string', '"CycloneDX"', 'unsupported_sbom_format'],
  ['another format', '{"bomFormat":"Other","specVersion":"1.5"}', 'unsupported_sbom_format'],
  ['CycloneDX 1.1', json(cycloneDx({ specVersion: '1.1' })), 'unsupported_sbom_version'],
  ['CycloneDX 2.0', json(cycloneDx({ specVersion: '2.0' })), 'unsupported_sbom_version'],
  ['SPDX 3.0.0', spdx3('3.0.0'), 'unsupported_sbom_version'],
  ['SPDX 2.1', json(spdx({ spdxVersion: 'SPDX-2.1' })), 'unsupported_sbom_version'],
  [
    'a component without a name',
    json(cycloneDx({ components: [{ type: 'library' }] })),
    'invalid_sbom',
  ],
  ['components that are no list', json(cycloneDx({ components: {} })), 'invalid_sbom'],
  [
    'a number for a name',
    json(cycloneDx({ components: [{ ...lodash, name: 7 }] })),
    'invalid_sbom',
  ],
  [
    'SPDX without a package name',
    json(spdx({ packages: [{ SPDXID: 'SPDXRef-a' }] })),
    'invalid_sbom',
  ],
  ['SPDX without its own id', json(spdx({ SPDXID: undefined })), 'invalid_sbom'],
  [
    'lists within lists, 100,000 deep',
    json(cycloneDx({ components: '?' })).replace('"?"', `${'['.repeat(1e5)}${']'.repeat(1e5)}`),
    'invalid_sbom',
  ],
  [
    'more components than are allowed',
    json(cycloneDx({ components: many(201) })),
    'too_many_components',
  ],
  [
    'more bytes than are allowed',
    'x'.repeat(parityBounds.MAX_UPLOAD_BYTES + 1),
    'payload_too_large',
  ],
];

export const parityDocuments: readonly ParityDocument[] = [
  ...good.map(([what, text]) => ({ what, text, refused: null })),
  ...bad.map(([what, text, refused]) => ({ what, text, refused })),
];
