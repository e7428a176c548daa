import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sharedData } from '../../paths';
import { generatedDocument } from '../../sboms/generated-document';
import type { Json } from './locations';

/** A document to be changed. */
export interface CorpusDocument {
  name: string;
  /** Parsed once; must not be changed. */
  json(): Json;
}

/** A document of the corpus. Parsed documents are kept, so that a thousand mutants cost no thousand reads. */
export function parsedOnce(name: string, read: () => Json): CorpusDocument {
  let parsed: { json: Json } | undefined;
  return { name, json: () => (parsed ??= { json: read() }).json };
}

/**
 * The real documents beside the checkout up to a size, in the order of their names; generated ones of both
 * formats where there are none.
 */
export function loadCorpus(maxBytes: number): CorpusDocument[] {
  const folder = sharedData('sboms');
  if (folder === undefined) return generatedCorpus();
  const names = readdirSync(folder).filter((name) => /\.(cdx|spdx)\.json$|^\d.*\.json$/.test(name));
  return names.sort().flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    if (bytes.length > maxBytes) return [];
    return parsedOnce(name, () => JSON.parse(bytes.toString().replace(/^\ufeff/, '')) as Json);
  });
}

/** JSON documents, also gzip'd, up to a size in folders below `root`, in order. */
export function documentsIn(
  root: string,
  folders: readonly string[],
  maxBytes: number,
): CorpusDocument[] {
  return folders.flatMap((folder) => {
    const names = readdirSync(join(root, folder)).filter((name) => /\.json(\.gz)?$/.test(name));
    return names.sort().flatMap((name) => {
      const stored = readFileSync(join(root, folder, name));
      const bytes = name.endsWith('.gz') ? gunzipSync(stored) : stored;
      if (bytes.length > maxBytes) return [];
      const read = (): Json => JSON.parse(bytes.toString().replace(/^\ufeff/, '')) as Json;
      return parsedOnce(`${folder}/${name}`, read);
    });
  });
}

/** SPDX 3 documents beside the checkout up to a size; generated ones where there are none. */
export function loadSpdx3Corpus(maxBytes: number): CorpusDocument[] {
  const root = sharedData('spdx3');
  if (root !== undefined)
    return documentsIn(root, ['examples', 'real', 'tools', 'pre-release'], maxBytes);
  return generatedCorpus().filter(({ name }) => name.includes('SPDX 3'));
}

/** One document of each format and of some sizes. */
export function generatedCorpus(): CorpusDocument[] {
  return [5, 60, 300].flatMap((size) => {
    const cycloneDx = generatedDocument(size);
    return [
      parsedOnce(`generated CycloneDX of ${size}`, () => structuredClone(cycloneDx) as Json),
      parsedOnce(`generated SPDX of ${size}`, () => asSpdx(cycloneDx)),
      parsedOnce(`generated SPDX 3 of ${size}`, () => asSpdx3(cycloneDx)),
    ];
  });
}

function asSpdx({ components }: ReturnType<typeof generatedDocument>): Json {
  const id = (index: number): string => `SPDXRef-${index}`;
  return {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'generated',
    dataLicense: 'CC0-1.0',
    documentNamespace: 'https://example.org/generated',
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: bench'] },
    packages: components.map(({ name, version = '', purl = '' }, index) => ({
      SPDXID: id(index),
      name,
      versionInfo: version,
      downloadLocation: 'NOASSERTION',
      externalRefs: [
        {
          referenceCategory: 'PACKAGE-MANAGER',
          referenceType: 'purl',
          referenceLocator: purl,
        },
      ],
    })),
    relationships: components.map((_, index) => ({
      spdxElementId: index === 0 ? 'SPDXRef-DOCUMENT' : id(index - 1),
      relationshipType: index === 0 ? 'DESCRIBES' : 'DEPENDS_ON',
      relatedSpdxElement: id(index),
    })),
  };
}

function asSpdx3({ components }: ReturnType<typeof generatedDocument>): Json {
  const id = (index: number): string => `g:${index}`;
  return {
    '@context': [
      'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
      { g: 'https://example.org/generated/' },
    ],
    '@graph': [
      { type: 'SpdxDocument', spdxId: 'g:document', rootElement: [id(0)] },
      ...components.flatMap(({ name, version = '', purl = '' }, index): Json[] => [
        {
          type: 'software_Package',
          spdxId: id(index),
          name,
          software_packageVersion: version,
          externalIdentifier: [`g:purl-${index}`],
        },
        {
          type: 'ExternalIdentifier',
          spdxId: `g:purl-${index}`,
          externalIdentifierType: 'packageUrl',
          identifier: purl,
        },
        {
          type: 'Relationship',
          from: id(Math.floor(index / 2)),
          relationshipType: index % 3 === 0 ? 'contains' : 'dependsOn',
          to: [id(index + 1)],
        },
        {
          type: 'Relationship',
          from: id(index),
          relationshipType: 'hasDeclaredLicense',
          to: ['https://spdx.org/licenses/MIT'],
        },
      ]),
    ],
  };
}
