export {
  createApiClient,
  type Acceptance,
  type ActiveQuery,
  type ApiClient,
  type Project,
  type SbomDetail,
  type SbomDiff,
  type Summary,
  type Upload,
  type UploadResult,
  type Vulnerability,
  type VulnerabilityPage,
} from './client';
export { ApiError, errorOf, send, sendForJson, type Call, type Target } from './http';
export { waitForScan } from './wait-for-scan';
