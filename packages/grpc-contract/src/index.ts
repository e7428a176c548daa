export { descriptors } from './generated/descriptors';
export {
  CheckSBOMRequest,
  CheckSBOMResponse,
  SBOMServiceClient,
  SBOMServiceService,
  UploadSBOMRequest,
  UploadSBOMResponse,
  type CheckedVulnerability,
  type Remark,
} from './generated/sbom';
