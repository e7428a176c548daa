import { readFile } from 'node:fs/promises';
import { createApiClient } from '@bomtrail/api-client';

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

/** What the demo asks of the API at `baseUrl`, signed with `apiKey`. */
export function apiClient(baseUrl: string, apiKey: string): ApiClient {
  const client = createApiClient({ baseUrl, apiKey });
  return {
    createProject: (name) => client.createProject({ name }),
    uploadSbom: async ({ projectId, serviceName, version, file }) =>
      client.upload({
        project_id: projectId,
        service_name: serviceName,
        version,
        file: await readFile(file),
      }),
    scanState: (id) => client.sbom(id),
    openVulnerabilities: (projectId) => client.allActive({ project_id: projectId }),
  };
}
