import { BenchFailure } from '../bench-failure';
import { createHttpClient, type HttpClient, type PreparedRequest } from './http-client';
import { multipartUpload } from './multipart';

/** The fields of `GET /api/v1/sboms/{id}` that the bench looks at. */
export interface SbomState {
  id: string;
  service_id: string | null;
  scan_status: 'pending' | 'scanned' | 'failed';
  scanned_at: string | null;
  advisory_data: 'starter' | 'feed' | 'none';
  vulnerabilities: ScanFinding[];
}

export interface ScanFinding {
  cve_id: string;
  purl: string;
  advisory_ids?: string[];
  /** Where several components have it. */
  occurrences?: { purl: string; advisory_ids?: string[] }[];
}

export interface Upload {
  projectId: string;
  serviceName: string;
  document: Buffer;
  /** `1.0.0` where nothing is said. */
  version?: string;
}

/** A bulk decision, as far as it is carried out. */
export interface BulkState {
  id: string;
  status: 'running' | 'done';
  decided: number;
}

/** Sends an upload whose bytes were made before, and gives the id of the SBOM record. */
export type SendUpload = () => Promise<string>;

/** The public REST API as far as the bench needs it. Any unexpected status is a `BenchFailure`. */
export interface Api {
  createProject(name: string): Promise<string>;
  /** Gives the id of the SBOM record. */
  upload(upload: Upload): Promise<string>;
  prepareUpload(upload: Upload): SendUpload;
  /** `waitSeconds`: it is answered when the scan is over, or after that time. */
  readSbom(id: string, options?: { waitSeconds: number }): Promise<SbomState>;
  deleteSbom(id: string): Promise<void>;
  deleteProject(id: string): Promise<void>;
  /** With its SBOMs. */
  deleteService(id: string): Promise<void>;
  /** Rows of the active list of a service: how many in all, and how many on the first page. */
  listActive(serviceId: string): Promise<{ total: number; listed: number }>;
  /** Open vulnerabilities of a project, by the summary. */
  countActive(projectId: string): Promise<number>;
  /** Decides about all open vulnerabilities of a project; the same key gives the first call again. */
  decideInBulk(projectId: string, key: string): Promise<BulkState>;
  readBulk(id: string): Promise<BulkState>;
  deleteBulk(id: string): Promise<void>;
  /** Entries of the audit log about an operation. */
  countAudit(operation: string): Promise<number>;
  /** Open rows of one vulnerability in all projects, by any of its ids. */
  countOpen(vulnerabilityId: string): Promise<number>;
  /** Reads a path, as often as it is called; gives the bytes of the answer. */
  prepareRead(path: string): () => Promise<Buffer>;
  /** `status` of /readyz; undefined while nothing answers. */
  readiness(): Promise<string | undefined>;
  close(): void;
}

export function createApi(options: { baseUrl: string; apiKey: string; signal: AbortSignal }): Api {
  const client = createHttpClient(options);
  const authorization = `Bearer ${options.apiKey}`;
  const get = <Body>(path: string): Promise<Body> =>
    expectJson<Body>(
      client,
      client.prepare({ method: 'GET', path, headers: { authorization } }),
      200,
    );
  const post = (path: string, contentType: string, body: Buffer): SendUpload => {
    const headers = { authorization, 'content-type': contentType };
    const request = client.prepare({ method: 'POST', path, headers, body });
    return async () => (await expectJson<{ id: string }>(client, request, 201)).id;
  };
  const prepareUpload = (upload: Upload): SendUpload => {
    const { projectId, serviceName, document, version = '1.0.0' } = upload;
    const fields = { project_id: projectId, version, service_name: serviceName };
    const { contentType, parts } = multipartUpload(fields, document);
    return post('/api/v1/sboms/upload', contentType, Buffer.concat(parts));
  };
  const remove = async (path: string): Promise<void> => {
    const request = client.prepare({ method: 'DELETE', path, headers: { authorization } });
    await expectAnswer(client, request, 204);
  };
  return {
    createProject: (name) =>
      post('/api/v1/projects', 'application/json', Buffer.from(JSON.stringify({ name })))(),
    upload: (upload) => prepareUpload(upload)(),
    prepareUpload,
    readSbom: (id, { waitSeconds } = { waitSeconds: 0 }) =>
      get<SbomState>(`/api/v1/sboms/${id}?wait=${waitSeconds}`),
    deleteSbom: (id) => remove(`/api/v1/sboms/${id}`),
    deleteProject: (id) => remove(`/api/v1/projects/${id}`),
    deleteService: (id) => remove(`/api/v1/services/${id}?cascade=true`),
    listActive: async (serviceId) => {
      const path = `/api/v1/vulnerabilities/active?service_id=${serviceId}`;
      const page = await get<{ items: unknown[]; total: number }>(path);
      return { total: page.total, listed: page.items.length };
    },
    countActive: async (projectId) => {
      const path = `/api/v1/vulnerabilities/summary?project_id=${projectId}`;
      return (await get<{ total: number }>(path)).total;
    },
    decideInBulk: (project_id, idempotency_key) => {
      const decision = { decision: 'not_affected', reason: 'Measured.', filter: {} };
      const body = Buffer.from(JSON.stringify({ ...decision, project_id, idempotency_key }));
      const path = '/api/v1/vulnerabilities/acceptances/bulk';
      const headers = { authorization, 'content-type': 'application/json' };
      const request = client.prepare({ method: 'POST', path, headers, body });
      return expectJson<BulkState>(client, request, 201);
    },
    readBulk: (id) => get<BulkState>(`/api/v1/vulnerabilities/acceptances/bulk/${id}`),
    deleteBulk: (id) => remove(`/api/v1/vulnerabilities/acceptances/bulk/${id}`),
    countAudit: async (operation) =>
      (await get<{ total: number }>(`/api/v1/audit?operation=${operation}`)).total,
    countOpen: async (vulnerabilityId) => {
      const path = `/api/v1/vulnerabilities/active?cve_id=${vulnerabilityId}&per_page=1`;
      return (await get<{ total: number }>(path)).total;
    },
    prepareRead: (path) => {
      const request = client.prepare({ method: 'GET', path, headers: { authorization } });
      return () => expectAnswer(client, request, 200);
    },
    readiness: async () => {
      try {
        const { body } = await client.send(client.prepare({ method: 'GET', path: '/readyz' }));
        return (JSON.parse(body.toString('utf8')) as { status: string }).status;
      } catch {
        return undefined;
      }
    },
    close: () => client.close(),
  };
}

async function expectJson<Body>(
  client: HttpClient,
  request: PreparedRequest,
  status: number,
): Promise<Body> {
  return JSON.parse((await expectAnswer(client, request, status)).toString('utf8')) as Body;
}

async function expectAnswer(
  client: HttpClient,
  request: PreparedRequest,
  status: number,
): Promise<Buffer> {
  const answer = await client.send(request);
  if (answer.status !== status) {
    const said = `${answer.status} ${answer.body.toString('utf8').slice(0, 300)}`;
    throw new BenchFailure(`${request.name} answered ${said}`);
  }
  return answer.body;
}
