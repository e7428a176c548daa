export {
  createApiClient,
  type Acceptance,
  type ActiveQuery,
  type AdvisoryFeeds,
  type ApiClient,
  type ApiKey,
  type ApiKeyCreated,
  type BriefVulnerability,
  type PackageSearch,
  type Project,
  type SbomDetail,
  type SbomDiff,
  type SbomVerdict,
  type Summary,
  type Upload,
  type UploadResult,
  type Vulnerability,
  type TrackedVulnerabilityPage,
  type VulnerabilityPage,
  type VulnerabilitySearch,
} from './client';
export { ApiError, errorOf, send, sendForJson, type Call, type Target } from './http';
export { waitForScan } from './wait-for-scan';
