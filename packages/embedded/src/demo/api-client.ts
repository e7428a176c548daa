import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** One row of `GET /api/v1/vulnerabilities/active`, as far as the demo shows it. */
export interface OpenVulnerability {
  id: string;
  cve_id: string;
  severity: string;
  package_name: string;
  package_version: string;
  fixed_versions: string[];
  service_name: string | null;
}

/** What an SBOM says about its scan. */
export interface ScanState {
  scan_status: 'pending' | 'scanned' | 'failed';
  /** How much could be judged; null until it is scanned. */
  coverage: {
    components: number;
    evaluated: number;
    undetermined: Record<string, number>;
  } | null;
  /** On which advisories the answer stands. */
  advisory_data: 'starter' | 'feed' | 'none';
}

/** The public REST API, as a client sees it. Every function throws with status and body when it is refused. */
export interface ApiClient {
  createProject(name: string): Promise<{ id: string; slug: string }>;
  uploadSbom(upload: {
    projectId: string;
    serviceName: string;
    version: string;
    file: string;
  }): Promise<{ id: string }>;
  scanState(sbomId: string): Promise<ScanState>;
  /** All rows of a project, most severe first. */
  openVulnerabilities(projectId: string): Promise<OpenVulnerability[]>;
}

/** A client of the API at `baseUrl` that signs its requests with `apiKey`. */
export function apiClient(baseUrl: string, apiKey: string): ApiClient {
  async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${apiKey}`);
    const signal = AbortSignal.timeout(60_000);
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers, signal });
    const text = await response.text();
    if (!response.ok) {
      const method = init.method ?? 'GET';
      throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    }
    return JSON.parse(text) as T;
  }

  return {
    createProject: (name) =>
      call('/api/v1/projects', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      }),
    uploadSbom: async (upload) => {
      const form = new FormData();
      form.set('project_id', upload.projectId);
      form.set('service_name', upload.serviceName);
      form.set('version', upload.version);
      form.set('file', new Blob([await readFile(upload.file)]), basename(upload.file));
      return call('/api/v1/sboms/upload', { method: 'POST', body: form });
    },
    scanState: (sbomId) => call(`/api/v1/sboms/${sbomId}`),
    openVulnerabilities: async (projectId) => {
      const rows: OpenVulnerability[] = [];
      for (let page = 1; ; page++) {
        const query = `project_id=${projectId}&per_page=200&sort=severity&page=${page}`;
        const answer = await call<{ items: OpenVulnerability[]; has_more: boolean }>(
          `/api/v1/vulnerabilities/active?${query}`,
        );
        rows.push(...answer.items);
        if (!answer.has_more) return rows;
      }
    },
  };
}
