import { isJsonObject, type JsonObject } from './json';
import type { SbomProblem } from './normalised-sbom';

/** Supported CycloneDX versions (docs/validation.md "Formats"). */
export const CYCLONEDX_VERSIONS = ['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'] as const;
/** Supported SPDX versions. */
export const SPDX_VERSIONS = ['2.2', '2.3'] as const;

export type CycloneDxVersion = (typeof CYCLONEDX_VERSIONS)[number];
export type SpdxVersion = (typeof SPDX_VERSIONS)[number];

/** A supported format and version. */
export type SbomSpecification =
  | { format: 'cyclonedx'; specVersion: CycloneDxVersion }
  | { format: 'spdx'; specVersion: SpdxVersion };

/** A document of known format and version, not validated yet. */
export interface RecognisedDocument {
  specification: SbomSpecification;
  document: JsonObject;
}

export type Recognition =
  { ok: true; recognised: RecognisedDocument } | { ok: false; problem: SbomProblem };

/**
 * Recognises the format by its required field: CycloneDX `bomFormat`, SPDX 2 `spdxVersion`, SPDX 3
 * the JSON-LD `@context`.
 */
export function recogniseFormat(json: unknown): Recognition {
  if (isJsonObject(json)) {
    if (json.bomFormat === 'CycloneDX') return recogniseCycloneDx(json);
    if (json.spdxVersion !== undefined) return recogniseSpdx(json);
    if (isSpdx3(json)) return unsupportedVersion('SPDX', '3', SPDX_VERSIONS);
  }
  return refused(
    'unsupported_sbom_format',
    `The file is JSON but neither a CycloneDX document ("bomFormat": "CycloneDX") nor an SPDX one ("spdxVersion")${wrapperHint(json)}.`,
  );
}

function recogniseCycloneDx(document: JsonObject): Recognition {
  const written = document.specVersion;
  if (typeof written !== 'string')
    return refused('invalid_sbom', 'specVersion of the CycloneDX document must be a string.');
  const specVersion = CYCLONEDX_VERSIONS.find((version) => version === written);
  if (specVersion === undefined)
    return unsupportedVersion('CycloneDX', written, CYCLONEDX_VERSIONS);
  return recognisedAs({ format: 'cyclonedx', specVersion }, document);
}

function recogniseSpdx(document: JsonObject): Recognition {
  const written = document.spdxVersion;
  if (typeof written !== 'string')
    return refused('invalid_sbom', 'spdxVersion of the SPDX document must be a string.');
  const specVersion = SPDX_VERSIONS.find((version) => `SPDX-${version}` === written);
  if (specVersion === undefined)
    return unsupportedVersion('SPDX', written.replace(/^SPDX-/, ''), SPDX_VERSIONS);
  return recognisedAs({ format: 'spdx', specVersion }, document);
}

function recognisedAs(specification: SbomSpecification, document: JsonObject): Recognition {
  return { ok: true, recognised: { specification, document } };
}

function isSpdx3(document: JsonObject): boolean {
  const context = document['@context'];
  const contexts: unknown[] = Array.isArray(context) ? context : [context];
  return contexts.some((entry) => typeof entry === 'string' && entry.includes('spdx.org/rdf/3'));
}

/** Some hosting services wrap the document: `{"sbom": {…}}`. */
function wrapperHint(json: unknown): string {
  if (!isJsonObject(json) || !isJsonObject(json.sbom)) return '';
  return '; upload what stands inside "sbom"';
}

function unsupportedVersion(
  format: string,
  written: string,
  accepted: readonly string[],
): Recognition {
  const shown = written.length > 20 ? `${written.slice(0, 20)}…` : written;
  return refused(
    'unsupported_sbom_version',
    `${format} ${JSON.stringify(shown)} is not accepted; accepted are ${accepted.join(', ')}.`,
  );
}

function refused(code: SbomProblem['code'], detail: string): Recognition {
  return { ok: false, problem: { code, detail } };
}
