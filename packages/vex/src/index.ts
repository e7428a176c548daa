export { readVex } from './read-vex';
export type { VexLimits } from './read-vex';
export { readEmbeddedVex, type EmbeddedVex, type VexInDocument } from './read-embedded';
export { productsToMatch, VEX_FORMATS, VEX_STATUSES } from './vex-document';
export type {
  Identifier,
  ReadVexResult,
  VexDocument,
  VexFormat,
  VexProblem,
  VexProblemCode,
  VexProduct,
  VexStatement,
  VexStatus,
} from './vex-document';

export { STATES, stateMapping } from './mapping';
export { compareRevisions } from './revisions';

export { matchStatements, nearestReason } from './matching/match-statements';
export type { StatementMatch } from './matching/match-statements';
export { NOT_APPLICABLE } from './matching/match-product';
export type { CoveredPackage, NotApplicable } from './matching/match-product';

export { describeSbom } from './describe-sbom';
export type { SbomIdentity } from './describe-sbom';
export type { ExportDocument, ExportProduct, ExportStatement } from './writing/export-document';
export { writeVex } from './writing/write-vex';
export { vdrComponent, vdrHead, vdrRef, vdrVulnerability } from './writing/write-vdr';
export type { DisclosedComponent, DisclosedVulnerability } from './writing/write-vdr';
