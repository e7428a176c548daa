import { foreignJson } from './foreign-formats';
import { isJsonObject, type JsonObject } from './json';
import type { SbomProblem } from './normalised-sbom';
import { SPDX3_VERSIONS, spdx3VersionOf, type Spdx3Version } from './spdx3/recognise-spdx3';

/** Supported CycloneDX versions (docs/validation.md "Formats"). */
export const CYCLONEDX_VERSIONS = ['1.2', '1.3', '1.4', '1.5', '1.6', '1.7'] as const;
/** Supported versions of SPDX 2. */
export const SPDX2_VERSIONS = ['2.2', '2.3'] as const;
/** Supported SPDX versions. */
export const SPDX_VERSIONS = [...SPDX2_VERSIONS, ...SPDX3_VERSIONS] as const;

export type CycloneDxVersion = (typeof CYCLONEDX_VERSIONS)[number];
export type Spdx2Version = (typeof SPDX2_VERSIONS)[number];

/** A supported format and version. */
export type SbomSpecification =
  | { format: 'cyclonedx'; specVersion: CycloneDxVersion }
  | { format: 'spdx'; specVersion: Spdx2Version | Spdx3Version };

/** A document of known format and version, not validated yet. */
export interface RecognisedDocument {
  specification: SbomSpecification;
  document: JsonObject;
}

export type Recognition =
  | { ok: true; recognised: RecognisedDocument }
  | { ok: false; problem: SbomProblem };

/**
 * Recognises the format by its required field: CycloneDX `bomFormat`, SPDX 2 `spdxVersion`, SPDX 3
 * the JSON-LD `@context`.
 */
export function recogniseFormat(json: unknown): Recognition {
  if (isJsonObject(json)) {
    if (json.bomFormat === 'CycloneDX') return recogniseCycloneDx(json);
    if (json.spdxVersion !== undefined) return recogniseSpdx(json);
    const spdx3 = spdx3VersionOf(json);
    if (spdx3 !== null) return recogniseSpdx3(json, spdx3);
  }
  const foreign = foreignJson(json);
  if (foreign !== null) return { ok: false, problem: foreign };
  return refused(
    'unsupported_sbom_format',
    `The file is JSON but neither a CycloneDX document ("bomFormat": "CycloneDX") nor an SPDX one ("spdxVersion", in SPDX 3 "@context")${wrapperHint(json)}.`,
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
  const specVersion = SPDX2_VERSIONS.find((version) => `SPDX-${version}` === written);
  if (specVersion === undefined)
    return unsupportedVersion('SPDX', written.replace(/^SPDX-/, ''), SPDX_VERSIONS);
  return recognisedAs({ format: 'spdx', specVersion }, document);
}

function recogniseSpdx3(document: JsonObject, written: string): Recognition {
  const specVersion = SPDX3_VERSIONS.find((version) => version === written);
  if (specVersion !== undefined) return recognisedAs({ format: 'spdx', specVersion }, document);
  if (written !== 'draft' && !written.startsWith('3.0'))
    return unsupportedVersion('SPDX', written, SPDX_VERSIONS);
  const named = written === 'draft' ? 'SPDX 3' : `SPDX ${JSON.stringify(shown(written))}`;
  return refused(
    'unsupported_sbom_version',
    `This draft or pre-release of ${named} is not accepted; accepted are ${SPDX_VERSIONS.join(', ')}. Update the tool that wrote it, or have it write SPDX 2.3.`,
  );
}

function recognisedAs(specification: SbomSpecification, document: JsonObject): Recognition {
  return { ok: true, recognised: { specification, document } };
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
  return refused(
    'unsupported_sbom_version',
    `${format} ${JSON.stringify(shown(written))} is not accepted; accepted are ${accepted.join(', ')}.`,
  );
}

function shown(version: string): string {
  return version.length > 20 ? `${version.slice(0, 20)}…` : version;
}

function refused(code: SbomProblem['code'], detail: string): Recognition {
  return { ok: false, problem: { code, detail } };
}
