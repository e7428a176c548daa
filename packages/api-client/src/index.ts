export { createApiClient, type ApiClient } from './client';
export { EncodedForm } from './encoded-form';
export {
  ApiError,
  errorOf,
  send,
  sendForJson,
  type Call,
  type HttpRequest,
  type HttpResponse,
  type HttpSend,
  type Target,
} from './http';
export type {
  Acceptance,
  ExploitedEvidence,
  ActiveQuery,
  AdvisoryFeeds,
  ApiKey,
  ApiKeyCreated,
  BriefVulnerability,
  DecisionRule,
  DecisionRuleCreate,
  LicenseSearch,
  PackageSearch,
  Remediation,
  RemediationPage,
  Project,
  GateQuery,
  SbomCheck,
  SbomDetail,
  SbomDiff,
  SbomVerdict,
  Summary,
  Upload,
  UploadResult,
  Vulnerability,
  TrackedVulnerabilityPage,
  VulnerabilityPage,
  VulnerabilitySearch,
} from './types';
export type { VexFormat } from './vex';
export { waitForScan } from './wait-for-scan';
