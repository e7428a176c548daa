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
  type ModelAcceptance,
  type ModelAdvisory,
  type ModelBrief,
  type ModelProject,
  type ModelVulnerability,
  type ModelSbom,
} from './model-project';
export type { ModelDecision } from './model-project';
export type { ModelRule, ModelStatement, ModelVexDocument } from './model-decisions';
export { mongoUriOf, collectionsContaining } from './collections-containing';
