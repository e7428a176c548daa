export { descriptors } from './generated/descriptors';
export {
  SBOMServiceClient,
  SBOMServiceService,
  UploadSBOMRequest,
  UploadSBOMResponse,
} from './generated/sbom';
