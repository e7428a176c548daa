export { descriptors } from './generated/descriptors';
export {
  CheckSBOMRequest,
  CheckSBOMResponse,
  SBOMServiceClient,
  SBOMServiceService,
  UploadSBOMRequest,
  UploadSBOMResponse,
  type CheckedVulnerability,
  type LicenseJudgement,
  type Remark,
  type SbomQuality,
} from './generated/sbom';
