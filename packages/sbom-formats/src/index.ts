import { createSbomReader } from './read-sbom';

export type {
  Dependency,
  NormalisedSbom,
  ReadSbomResult,
  SbomFormat,
  SbomProblemCode,
} from './normalised-sbom';
export { SBOM_READING_VERSION } from './normalised-sbom';
export { CYCLONEDX_VERSIONS, SPDX_VERSIONS } from './recognise-format';
export { createSbomReader } from './read-sbom';
export type { ReadLimits, SbomReader } from './read-sbom';

export { findDependencyPaths } from './dependency-paths';
export { readDependencyLevel } from './dependency-level';
export type { DependencyLevel, DependencyNode, LevelQuery } from './dependency-level';
export type { DependencyPaths, PathLimits } from './dependency-paths';

const reader = createSbomReader();

/**
 * Reads the unpacked bytes of a document, or returns why it is rejected. Never throws. Compiles a
 * version's schema with its first document, see `createSbomReader`.
 */
export const readSbom = reader.read;
/** Compiles every schema; throws when one is missing. Call it when a worker starts. */
export const prepareSbomReader = reader.prepare;

export { readDocumentStructure } from './document-structure';
export type { DocumentStructure } from './document-structure';
export type { NamedPackage } from './package-naming';

export { decodeDocument } from './decode-document';
export { isJsonObject } from './json';
export { listOf, localName, typesOf } from './spdx3/terms';
export { spdx3VersionOf } from './spdx3/recognise-spdx3';
export type { JsonObject } from './json';
export { describeSchemaErrors } from './schema/failing-paths';
export { createValidators } from './schema/validators';
export { relaxedSchema } from './schema/relaxed-schema';

export { createLicenceReader } from './licences/describe-licence';
export type { LicenceFacts } from './licences/describe-licence';
export { LICENCE_GROUPS } from './licences/licence-groups';
export type { LicenceGroup } from './licences/licence-groups';
export { createLicenceJudge } from './licences/licence-policy';
export { findUnknownRules } from './licences/unknown-rules';
export type { UnknownRule } from './licences/unknown-rules';
export type { LicenceOutcome, LicencePolicy } from './licences/licence-policy';
export {
  indexLicences,
  licenceGroupKey,
  licenceIdKey,
  LICENCES_LEFT_OUT,
  LICENCE_INDEX_VERSION,
  mayBeLeftOut,
} from './licences/licence-index';
export type { LicenceEntry, LicensedComponent } from './licences/licence-index';
export { QUALITY_VERSION } from './quality/quality-elements';
export type { QualityFacts } from './quality/quality-elements';
export { qualityReport } from './quality/quality-report';
export type { QualityElement, QualityReport } from './quality/quality-report';
