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

const reader = createSbomReader();

/**
 * The unpacked bytes of a document to its normal form, or why it is not accepted. Never throws on
 * any input. Compiles a version's schema with its first document, see `createSbomReader`.
 */
export const readSbom = reader.read;
/** Compiles every schema now; throws when the installation lacks one. For the start of a worker. */
export const prepareSbomReader = reader.prepare;
