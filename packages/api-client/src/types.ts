import type { components } from '@bomtrail/api-contract';

export type Schemas = components['schemas'];
export type ExploitedEvidence = Schemas['ExploitedEvidencePage']['items'][number];
export type Project = Schemas['ProjectResponse'];
export type Service = Schemas['ServiceResponse'];
export type UploadResult = Schemas['SBOMUploadResponse'];
export type SbomDetail = Schemas['SBOMDetailResponse'];
export type SbomDiff = Schemas['SBOMDiffResponse'];
export type Vulnerability = Schemas['Vulnerability'];
export type VulnerabilityPage = Schemas['VulnerabilityPage'];
export type Summary = Schemas['VulnerabilitySummary'];
export type SbomCoverage = Schemas['SBOMCoveragePage'];
export type LicenseSearch = Schemas['LicenseSearchPage'];
export type PackageSearch = Schemas['PackageSearchPage'];
export type Remediation = Schemas['Remediation'];
export type RemediationPage = Schemas['RemediationPage'];
export type VulnerabilitySearch = Schemas['VulnerabilitySearchPage'];
export type AdvisoryFeeds = Schemas['AdvisoryFeedsResponse'];
/** Of a list that is counted, as the lists of this client are. */
export type TrackedVulnerabilityPage = Schemas['TrackedVulnerabilityPage'] & {
  total: number;
  total_pages: number;
};
export type TrackedVulnerability = Schemas['TrackedVulnerabilityDetail'];
export type Acceptance = Schemas['RiskAcceptanceResponse'];
export type DecisionRule = Schemas['DecisionRule'];
export type DecisionRuleCreate = Schemas['DecisionRuleCreate'];
export type BriefVulnerability = Schemas['BriefVulnerability'];
export type SbomVerdict = Schemas['SbomVerdict'];
export type SbomCheck = Schemas['SbomCheck'];

/** The gate of a verdict or a check. */
export type GateQuery = {
  fail_on?: SbomVerdict['fail_on'];
  only_new?: 'true' | 'false';
  fail_on_kev?: 'true' | 'false';
  max_epss?: number;
  only_fixable?: 'true' | 'false';
  fail_on_license?: 'true' | 'false';
  min_quality?: number;
  baseline?: string;
};
export type Import = Schemas['Import'];
export type ImportUpdate = Schemas['ImportUpdate'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type ApiKeyCreated = Schemas['ApiKeyCreated'];

/** A file to upload and its target: either `project_id` or `project_slug`. */
export interface Upload {
  project_id?: string;
  project_slug?: string;
  file: Uint8Array;
  version?: string;
  service_name?: string;
  commit?: string | undefined;
  build_url?: string | undefined;
}

export interface ActiveQuery {
  page?: number;
  per_page?: number;
  severity?: string;
  project_id?: string;
  service_id?: string;
  cve_id?: string;
  decision?: string;
  sort?: string;
  order?: 'asc' | 'desc';
}

/** The maximum of `per_page`. */
export const longestPage = 200;
