export { makeAdvisoryFolder, type AdvisoryFolder } from './advisory-folder';
export { compareProject } from './compare-project';
export { documentOf } from './document-of';
export {
  connectGrpc,
  type GrpcResponse,
  type GrpcClient,
  type GrpcError,
  type GrpcUploadResult,
} from './grpc-client';
export {
  expectedBriefs,
  expectedVulnerabilities,
  namesOf,
  type ModelBrief,
  type ModelVulnerability,
} from './model-project';
export type {
  ModelAcceptance,
  ModelAdvisory,
  ModelDecision,
  ModelProject,
  ModelRule,
  ModelSbom,
  ModelStatement,
  ModelVexDocument,
} from './model-facts';
export { mongoUriOf, collectionsContaining } from './collections-containing';
