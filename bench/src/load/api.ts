import { BenchFailure } from '../bench-failure';
import { createHttpClient, type HttpClient, type HttpRequest } from './http-client';
import { multipartUpload } from './multipart';

/** The fields of `GET /api/v1/sboms/{id}` that the bench looks at. */
export interface SbomState {
  id: string;
  service_id: string | null;
  scan_status: 'pending' | 'scanned' | 'failed';
  scanned_at: string | null;
  advisory_data: 'starter' | 'feed' | 'none';
  vulnerabilities: { cve_id: string; purl: string; advisory_ids?: string[] }[];
}

export interface Upload {
  projectId: string;
  serviceName: string;
  document: Buffer;
  /** `1.0.0` where nothing is said. */
  version?: string;
}

/** The public REST API as far as the bench needs it. Any unexpected status is a `BenchFailure`. */
export interface Api {
  createProject(name: string): Promise<string>;
  /** Gives the id of the SBOM record. */
  upload(upload: Upload): Promise<string>;
  readSbom(id: string): Promise<SbomState>;
  deleteSbom(id: string): Promise<void>;
  deleteProject(id: string): Promise<void>;
  /** With its SBOMs. */
  deleteService(id: string): Promise<void>;
  /** Rows of the active list of a service: how many in all, and how many on the first page. */
  listActive(serviceId: string): Promise<{ total: number; listed: number }>;
  /** Open vulnerabilities of a project, by the summary. */
  countActive(projectId: string): Promise<number>;
  /** Open rows of one vulnerability in all projects, by any of its ids. */
  countOpenRows(vulnerabilityId: string): Promise<number>;
  /** `status` of /readyz; undefined while nothing answers. */
  readiness(): Promise<string | undefined>;
  close(): void;
}

export function createApi(options: {
  baseUrl: string;
  apiKey: string;
  connections: number;
  signal: AbortSignal;
}): Api {
  const client = createHttpClient(options);
  const authorization = `Bearer ${options.apiKey}`;
  const get = <Body>(path: string): Promise<Body> =>
    expectJson<Body>(client, { method: 'GET', path, headers: { authorization } }, 200);
  const post = (path: string, content: { contentType: string; body: Buffer }) => {
    const headers = { authorization, 'content-type': content.contentType };
    const message: HttpRequest = { method: 'POST', path, headers, body: content.body };
    return expectJson<{ id: string }>(client, message, 201);
  };
  const remove = async (path: string): Promise<void> => {
    await expectAnswer(client, { method: 'DELETE', path, headers: { authorization } }, 204);
  };
  return {
    createProject: async (name) => {
      const body = Buffer.from(JSON.stringify({ name }));
      return (await post('/api/v1/projects', { contentType: 'application/json', body })).id;
    },
    upload: async ({ projectId, serviceName, document, version = '1.0.0' }) => {
      const fields = { project_id: projectId, version, service_name: serviceName };
      return (await post('/api/v1/sboms/upload', multipartUpload(fields, document))).id;
    },
    readSbom: (id) => get<SbomState>(`/api/v1/sboms/${id}`),
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
    countOpenRows: async (vulnerabilityId) => {
      const path = `/api/v1/vulnerabilities/active?cve_id=${vulnerabilityId}&per_page=1`;
      return (await get<{ total: number }>(path)).total;
    },
    readiness: async () => {
      try {
        const { body } = await client.send({ method: 'GET', path: '/readyz' });
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
  message: HttpRequest,
  status: number,
): Promise<Body> {
  return JSON.parse(await expectAnswer(client, message, status)) as Body;
}

async function expectAnswer(
  client: HttpClient,
  message: HttpRequest,
  status: number,
): Promise<string> {
  const answer = await client.send(message);
  const text = answer.body.toString('utf8');
  if (answer.status !== status) {
    const said = `${answer.status} ${text.slice(0, 300)}`;
    throw new BenchFailure(`${message.method} ${message.path} answered ${said}`);
  }
  return text;
}
