import type { components } from '@bomtrail/api-contract';
import { errorOf, send, sendForJson, type Target } from './http';

type Schemas = components['schemas'];
export type Project = Schemas['ProjectResponse'];
export type UploadResult = Schemas['SBOMUploadResponse'];
export type SbomDetail = Schemas['SBOMDetailResponse'];
export type SbomDiff = Schemas['SBOMDiffResponse'];
export type Vulnerability = Schemas['Vulnerability'];
export type VulnerabilityPage = Schemas['VulnerabilityPage'];
export type Summary = Schemas['VulnerabilitySummary'];
export type SbomCoverage = Schemas['SBOMCoveragePage'];
export type PackageSearch = Schemas['PackageSearchPage'];
export type VulnerabilitySearch = Schemas['VulnerabilitySearchPage'];
export type AdvisoryFeeds = Schemas['AdvisoryFeedsResponse'];
export type TrackedVulnerabilityPage = Schemas['TrackedVulnerabilityPage'];
export type TrackedVulnerability = Schemas['TrackedVulnerabilityDetail'];
export type Acceptance = Schemas['RiskAcceptanceResponse'];
export type BriefVulnerability = Schemas['BriefVulnerability'];
export type SbomVerdict = Schemas['SbomVerdict'];
export type ApiKey = Schemas['ApiKeyResponse'];
export type ApiKeyCreated = Schemas['ApiKeyCreated'];

/** A file to upload and its target: either `project_id` or `project_slug`. */
export interface Upload {
  project_id?: string;
  project_slug?: string;
  file: Uint8Array;
  version?: string;
  service_name?: string;
}

export interface ActiveQuery {
  page?: number;
  per_page?: number;
  severity?: string;
  project_id?: string;
  service_id?: string;
  cve_id?: string;
  sort?: string;
  order?: 'asc' | 'desc';
}

const longestPage = 200;

export type ApiClient = ReturnType<typeof createApiClient>;

/** Client of the public API. Every call throws `ApiError` unless the status is a success. */
export function createApiClient(target: Target) {
  const sboms = '/api/v1/sboms';
  const vulnerabilities = '/api/v1/vulnerabilities';

  function listActive(query: ActiveQuery): Promise<VulnerabilityPage> {
    return sendForJson(target, { path: `${vulnerabilities}/active`, query: { ...query } });
  }

  return {
    createProject: (body: { name: string }): Promise<Project> =>
      sendForJson(target, { method: 'POST', path: '/api/v1/projects', body }),

    /** The project with this slug, as a page with at most one item. */
    projectsBySlug: (slug: string): Promise<Schemas['ProjectPage']> =>
      sendForJson(target, { path: '/api/v1/projects', query: { slug } }),

    project: (id: string): Promise<Project> =>
      sendForJson(target, { path: `/api/v1/projects/${id}` }),

    listServices: (projectId: string): Promise<Schemas['ServiceResponse'][]> =>
      sendForJson(target, { path: '/api/v1/services', query: { project_id: projectId } }),

    history: (projectId: string): Promise<Schemas['ProjectSBOMHistoryPage']> =>
      sendForJson(target, {
        path: `/api/v1/projects/${projectId}/history`,
        query: { per_page: longestPage },
      }),

    upload(upload: Upload): Promise<UploadResult> {
      const form = new FormData();
      if (upload.project_id !== undefined) form.set('project_id', upload.project_id);
      if (upload.project_slug !== undefined) form.set('project_slug', upload.project_slug);
      if (upload.version !== undefined) form.set('version', upload.version);
      if (upload.service_name !== undefined) form.set('service_name', upload.service_name);
      form.set('file', new Blob([upload.file as Uint8Array<ArrayBuffer>]), 'sbom.json');
      return sendForJson(target, { method: 'POST', path: `${sboms}/upload`, body: form });
    },

    sbom: (id: string): Promise<SbomDetail> => sendForJson(target, { path: `${sboms}/${id}` }),

    /**
     * Evaluates a CI gate.
     *
     * @param query `wait` in whole seconds, up to 60, delays the response
     */
    verdict: (
      id: string,
      query: {
        fail_on?: SbomVerdict['fail_on'];
        only_new?: 'true' | 'false';
        baseline?: string;
        wait?: number;
      },
    ): Promise<SbomVerdict> => sendForJson(target, { path: `${sboms}/${id}/verdict`, query }),

    /** Components that could not be evaluated. */
    coverage: (id: string, query: { reason?: string; page?: number } = {}): Promise<SbomCoverage> =>
      sendForJson(target, {
        path: `${sboms}/${id}/coverage`,
        query: { per_page: longestPage, ...query },
      }),

    /** Services that use a package. */
    searchPackages: (query: {
      purl?: string;
      name?: string;
      version?: string;
      project_id?: string;
      page?: number;
      per_page?: number;
    }): Promise<PackageSearch> => sendForJson(target, { path: '/api/v1/search/packages', query }),

    /** Services affected by a vulnerability, by any of its ids. */
    searchVulnerability: (
      id: string,
      query: { project_id?: string; page?: number; per_page?: number } = {},
    ): Promise<VulnerabilitySearch> =>
      sendForJson(target, {
        path: `/api/v1/search/vulnerabilities/${encodeURIComponent(id)}`,
        query,
      }),

    advisoryFeeds: (): Promise<AdvisoryFeeds> =>
      sendForJson(target, { path: '/api/v1/advisories/feeds' }),

    /** The uploaded bytes. */
    async download(id: string): Promise<Uint8Array> {
      const response = await send(target, { path: `${sboms}/${id}/download` });
      if (!response.ok) throw await errorOf(response);
      return new Uint8Array(await response.arrayBuffer());
    },

    /** Difference to another SBOM. */
    diff: (id: string, otherId: string): Promise<SbomDiff> =>
      sendForJson(target, { path: `${sboms}/${id}/diff/${otherId}` }),

    deleteSbom: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `${sboms}/${id}` }),

    listActive,

    /** Vulnerabilities in all states, or in some: `open,fixed`. */
    vulnerabilities: (
      query: ActiveQuery & { status?: string },
    ): Promise<TrackedVulnerabilityPage> =>
      sendForJson(target, { path: vulnerabilities, query: { ...query } }),

    /** One vulnerability with its timeline. */
    vulnerability: (id: string): Promise<TrackedVulnerability> =>
      sendForJson(target, { path: `${vulnerabilities}/${id}` }),

    /** All pages of the active list. */
    async allActive(query: ActiveQuery): Promise<Vulnerability[]> {
      const items: Vulnerability[] = [];
      for (let page = 1; ; page++) {
        const read = await listActive({ ...query, page, per_page: longestPage });
        items.push(...read.items);
        if (!read.has_more) return items;
      }
    },

    summary: (query: { project_id?: string; service_id?: string }): Promise<Summary> =>
      sendForJson(target, { path: `${vulnerabilities}/summary`, query }),

    accept: (body: {
      project_id: string;
      vulnerability_id: string;
      service_id?: string;
      reason: string;
      expires_at?: string;
    }): Promise<Acceptance> =>
      sendForJson(target, { method: 'POST', path: `${vulnerabilities}/acceptances`, body }),

    listAcceptances: (projectId: string): Promise<Schemas['RiskAcceptancePage']> =>
      sendForJson(target, {
        path: `${vulnerabilities}/acceptances`,
        query: { project_id: projectId },
      }),

    listKeys: (query: { page?: number; per_page?: number }): Promise<Schemas['ApiKeyPage']> =>
      sendForJson(target, { path: '/api/v1/api-keys', query }),

    createKey: (body: Schemas['ApiKeyCreate']): Promise<ApiKeyCreated> =>
      sendForJson(target, { method: 'POST', path: '/api/v1/api-keys', body }),

    revokeKey: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `/api/v1/api-keys/${id}` }),

    revokeAcceptance: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `${vulnerabilities}/acceptances/${id}` }),
  };
}
