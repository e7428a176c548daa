import { isJsonObject, type JsonObject } from './json';
import type { SbomProblem } from './normalised-sbom';

/** Where a format shows itself; longer licence headers are not looked through. */
const READ_BYTES = 16 * 1024;

/**
 * Says which known format a file has that is not JSON, and how to convert it; null for every other
 * file. Reads the first 16 KiB only.
 */
export function foreignFile(bytes: Uint8Array): SbomProblem | null {
  const start = Buffer.from(bytes.subarray(0, READ_BYTES))
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const found = FILES.find(({ pattern }) => pattern.test(start));
  return found === undefined ? null : unsupported(found.detail);
}

/** The same for JSON that is no SBOM of an accepted format. */
export function foreignJson(json: unknown): SbomProblem | null {
  if (!isJsonObject(json)) return null;
  const found = DOCUMENTS.find(({ matches }) => matches(json));
  return found === undefined ? null : unsupported(found.detail);
}

const toJson = 'cyclonedx convert --output-format json (cyclonedx-cli)';

const FILES: readonly { pattern: RegExp; detail: string }[] = [
  {
    // Zip, bzip2, gzip within gzip; xz and Zstandard begin with bytes that are no UTF-8.
    pattern: /^(?:PK\u0003\u0004|BZh\d|\u001f\ufffd|\ufffd7zXZ\0|\(\ufffd\/\ufffd)/,
    detail:
      'The file is compressed in a way that is not accepted; unpack it, or compress it with gzip, once.',
  },
  {
    pattern: /<(?:\w{1,20}:)?bom\s[^>]{0,4000}cyclonedx\.org\/schema\/bom/,
    detail: `CycloneDX XML is not accepted; convert it to JSON with ${toJson}.`,
  },
  {
    // Field 1 of the message Bom is `spec_version`, a text of three characters.
    pattern: /^\n\u0003[12]\.\d/,
    detail: `CycloneDX Protobuf is not accepted; convert it to JSON with ${toJson}.`,
  },
  {
    pattern: /spdx\.org\/rdf\/|<spdx:/,
    detail:
      'SPDX RDF is not accepted; convert it to JSON with pyspdxtools -i sbom.rdf -o sbom.json (spdx-tools).',
  },
  {
    pattern: /^SPDXVersion:[ \t]/m,
    detail:
      'SPDX tag-value is not accepted; convert it to JSON with pyspdxtools -i sbom.spdx -o sbom.json (spdx-tools).',
  },
  {
    pattern: /^["']?spdxVersion["']?:\s/m,
    detail:
      'SPDX YAML is not accepted; convert it to JSON with pyspdxtools -i sbom.yaml -o sbom.json (spdx-tools).',
  },
  {
    pattern: /^["']?bomFormat["']?:\s/m,
    detail:
      'CycloneDX in YAML is not accepted; have the tool that wrote it write JSON, or convert it with yq -o json.',
  },
];

const DOCUMENTS: readonly { matches: (json: JsonObject) => boolean; detail: string }[] = [
  {
    matches: ({ _type }) => typeof _type === 'string' && _type.startsWith('https://in-toto.io/'),
    detail:
      'The file is an in-toto attestation; upload the SBOM in it: jq .predicate attestation.json > sbom.json.',
  },
  {
    matches: ({ payload, payloadType }) =>
      typeof payload === 'string' && typeof payloadType === 'string',
    detail:
      'The file is a signed attestation (DSSE); upload the SBOM in it: jq -r .payload attestation.json | base64 -d | jq .predicate > sbom.json.',
  },
  {
    matches: ({ dsseEnvelope }) => isJsonObject(dsseEnvelope),
    detail:
      'The file is a signed attestation (Sigstore bundle); upload the SBOM in it: jq -r .dsseEnvelope.payload attestation.json | base64 -d | jq .predicate > sbom.json.',
  },
  {
    matches: ({ artifacts, schema, descriptor }) =>
      Array.isArray(artifacts) && (has(schema, 'url', 'syft') || has(descriptor, 'name', 'syft')),
    detail:
      'The file is syft-json; convert it with syft convert sbom.syft.json -o cyclonedx-json=sbom.cdx.json.',
  },
  {
    matches: ({ meta, findings, project }) =>
      has(meta, 'application', 'Dependency-Track') ||
      (Array.isArray(findings) && isJsonObject(project)),
    detail:
      'The file is an export of findings of Dependency-Track (FPF), which has no components; export the inventory of the project as CycloneDX JSON (Components, Download BOM).',
  },
  {
    matches: (json) => texts(json['@context']).some((context) => /openvex\.dev\//.test(context)),
    detail:
      'The document is OpenVEX: it has statements but no components; upload the SBOM that it is about.',
  },
  {
    matches: ({ document }) => isJsonObject(document) && typeof document.csaf_version === 'string',
    detail:
      'The document is CSAF: it has statements but no components; upload the SBOM that it is about.',
  },
];

function has(value: unknown, key: string, part: string): boolean {
  const text = isJsonObject(value) ? value[key] : undefined;
  return typeof text === 'string' && text.includes(part);
}

function texts(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

function unsupported(detail: string): SbomProblem {
  return { code: 'unsupported_sbom_format', detail };
}
