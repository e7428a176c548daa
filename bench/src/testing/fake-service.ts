import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Wrong answers that a fake can be told to give. `index` counts from 0. */
export interface FakeBehaviour {
  /** Vulnerabilities of an SBOM, by the order of uploads; when not given, those of its document. */
  vulnerabilities?: (index: number) => number;
  /** Status of an upload; 201 when not given. */
  uploadStatus?: (index: number) => number;
  scanStatus?: (index: number) => 'scanned' | 'failed';
}

export interface FakeService {
  baseUrl: string;
  /** Documents as they were received, in order. */
  documents: string[];
  /** Most uploads that were under way at the same time. */
  mostParallel: () => number;
  close(): Promise<void>;
}

interface Stored {
  id: string;
  projectId: string;
  serviceId: string;
  index: number;
  /** Version and document. */
  content: string;
  /** Reads left until the scan is done, so that a client must ask again. */
  readsUntilScanned: number;
}

/** The few endpoints that the bench uses, on a free port of this machine, for its own tests only. */
export async function startFakeService(behaviour: FakeBehaviour = {}): Promise<FakeService> {
  const stored = new Map<string, Stored>();
  const documents: string[] = [];
  let parallel = 0;
  let most = 0;
  const rowsOf = (sbom: Stored): number =>
    behaviour.vulnerabilities?.(sbom.index) ?? vulnerablePurls(sbom).length;
  /** By service: its latest SBOM. */
  const latest = new Map<string, Stored>();
  const countVulnerabilities = (belongs: (sbom: Stored) => boolean): number =>
    [...latest.values()].filter(belongs).reduce((sum, sbom) => sum + rowsOf(sbom), 0);

  const upload = async (request: IncomingMessage): Promise<Answer> => {
    most = Math.max(most, ++parallel);
    const body = await readBody(request);
    await new Promise((resolve) => setImmediate(resolve));
    parallel -= 1;
    const index = documents.push(/\r\n\r\n(\{[^]*\})\r\n--/.exec(body)?.[1] ?? '') - 1;
    const status = behaviour.uploadStatus?.(index) ?? 201;
    if (status !== 201) return { status, body: { detail: 'The service is out of order.' } };
    const field = (name: string): string =>
      new RegExp(`name="${name}"\\r\\n\\r\\n(\\S+)`).exec(body)?.[1] ?? '';
    const projectId = field('project_id');
    const serviceKey = `${projectId} ${field('service_name')}`;
    const before = latest.get(serviceKey);
    const content = `${field('version')} ${documents[index]}`;
    if (before?.content === content) return { status, body: { id: before.id } };
    const id = randomUUID();
    const serviceId = before?.serviceId ?? randomUUID();
    const number = stored.size;
    const sbom = { id, projectId, serviceId, index: number, content, readsUntilScanned: 2 };
    stored.set(id, sbom);
    latest.set(serviceKey, sbom);
    return { status, body: { id } };
  };

  const readSbom = (id: string): Answer => {
    const sbom = stored.get(id);
    if (sbom === undefined) return { status: 404, body: {} };
    sbom.readsUntilScanned -= 1;
    const done = sbom.readsUntilScanned <= 0;
    return { status: 200, body: sbomBody(sbom, done ? rowsOf(sbom) : 0, scanStatus(sbom, done)) };
  };
  const scanStatus = (sbom: Stored, done: boolean): string =>
    done ? (behaviour.scanStatus?.(sbom.index) ?? 'scanned') : 'pending';

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', 'http://fake');
    if (request.headers.authorization !== 'Bearer key') return { status: 401, body: {} };
    if (url.pathname === '/api/v1/sboms/upload') return upload(request);
    if (url.pathname === '/api/v1/projects') return { status: 201, body: { id: randomUUID() } };
    const id = /^\/api\/v1\/sboms\/([^/]+)$/.exec(url.pathname)?.[1];
    if (id !== undefined) return readSbom(id);
    const service = url.searchParams.get('service_id');
    const project = url.searchParams.get('project_id');
    const total = countVulnerabilities(
      (sbom) => sbom.serviceId === service || sbom.projectId === project,
    );
    return { status: 200, body: { total, items: Array.from({ length: Math.min(50, total) }) } };
  };

  const server = createServer((request, response) => {
    void answer(request).then((given) => send(response, given));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    documents,
    mostParallel: () => most,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  status: number;
  body: unknown;
}

/** Of the first three components those that have no version far above that of the base document. */
function vulnerablePurls({ content }: Stored): string[] {
  const { components } = JSON.parse(content.slice(content.indexOf('{'))) as {
    components: { purl: string }[];
  };
  return components.flatMap(({ purl }, n) => (n < 3 && !purl.includes('.999.') ? [purl] : []));
}

function sbomBody(sbom: Stored, rows: number, scanStatus: string): unknown {
  return {
    id: sbom.id,
    service_id: sbom.serviceId,
    scan_status: scanStatus,
    scanned_at: scanStatus === 'scanned' ? new Date().toISOString() : null,
    advisory_data: 'feed',
    vulnerabilities: Array.from({ length: rows }, (_, i) => ({
      cve_id: `CVE-2026-${1000 + i}`,
      purl: vulnerablePurls(sbom)[i] ?? 'pkg:golang/example.com/a@v1.0.0',
      advisory_ids: [`GO-2026-${1000 + i}`],
    })),
  };
}

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
