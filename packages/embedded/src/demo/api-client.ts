import { readFile } from 'node:fs/promises';
import { createApiClient } from '@bomtrail/api-client';

/** The fields of `GET /api/v1/vulnerabilities/active` that the demo prints. */
export interface OpenVulnerability {
  id: string;
  cve_id: string;
  severity: string;
  package_name: string;
  package_version: string;
  fixed_versions: string[];
  service_name: string | null;
}

/** Scan state of an SBOM. */
export interface ScanState {
  scan_status: 'pending' | 'scanned' | 'failed';
  /** Coverage; null until it is scanned. */
  coverage: {
    components: number;
    evaluated: number;
    undetermined: Record<string, number>;
  } | null;
  /** Advisory data used. */
  advisory_data: 'starter' | 'feed' | 'none';
}

/** Client of the public REST API. Every function throws an error with status and body if the request fails. */
export interface ApiClient {
  createProject(name: string): Promise<{ id: string; slug: string }>;
  uploadSbom(upload: {
    projectId: string;
    serviceName: string;
    version: string;
    file: string;
  }): Promise<{ id: string }>;
  scanState(sbomId: string): Promise<ScanState>;
  /** Lists the open vulnerabilities of a project, most severe first. */
  openVulnerabilities(projectId: string): Promise<OpenVulnerability[]>;
}

/** Creates a client for the API at `baseUrl`. */
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
