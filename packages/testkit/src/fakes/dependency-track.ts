import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeDependencyTrack {
  url: string;
  apiKey: string;
  /** Paths that were answered. */
  answered: string[];
  /** Fails every request after so many more with 500; null: none. */
  failAfter: (count: number | null) => void;
  stop: () => Promise<void>;
}

/** A project with what the server has of it, in the words of its API. */
export interface FakeDtProject {
  project: { uuid: string; name: string; version?: string } & Record<string, unknown>;
  /** As CycloneDX, in `components`. */
  components: readonly unknown[];
  findings: readonly { component: { uuid: string }; vulnerability: { uuid: string } }[];
  /** By `component:vulnerability`. */
  analyses: Readonly<Record<string, unknown>>;
}

/** Maximum of `pageSize`. */
const maxPage = 100;

/**
 * A server with the part of Dependency-Track's `/api/v1` that an import reads: pages with `X-Total-Count` (version 4
 * ignores paging for findings), the key in `X-Api-Key`, and SBOMs that are made anew for each download.
 */
export async function startFakeDependencyTrack(given: {
  version: string;
  projects: readonly FakeDtProject[];
  /** Null: the key may not read them. */
  policies: readonly unknown[] | null;
}): Promise<FakeDependencyTrack> {
  const apiKey = `odt_${randomUUID()}`;
  const answered: string[] = [];
  let left: number | null = null;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (left !== null && left-- <= 0) return reply(response, 500, { status: 500 });
    answered.push(url.pathname);
    if (url.pathname === '/api/version')
      return reply(response, 200, { application: 'Dependency-Track', version: given.version });
    if (request.headers['x-api-key'] !== apiKey) return reply(response, 401, null);
    route({ request, response, url }, given);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    answered,
    failAfter: (count) => {
      left = count;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

function route(
  { response, url }: Exchange,
  { version, projects, policies }: Parameters<typeof startFakeDependencyTrack>[0],
): void {
  const [, , , area, ...rest] = url.pathname.split('/');
  const named = projects.find(({ project }) => project.uuid === rest.at(-1));
  const page = (rows: readonly unknown[]): void => replyPage(response, url, rows);
  if (area === 'project' && rest.length === 0) return page(projects.map(({ project }) => project));
  if (area === 'policy')
    return policies === null ? reply(response, 403, { status: 403 }) : page(policies);
  if (area === 'finding' && named) {
    const isAll = url.searchParams.get('suppressed') === 'true';
    const listed = named.findings.filter(
      (one) => isAll || !(one as { analysis?: { isSuppressed?: boolean } }).analysis?.isSuppressed,
    );
    return version.startsWith('4.') ? replyAll(response, listed) : page(listed);
  }
  if (area === 'bom' && named) return reply(response, 200, bomOf(named));
  if (area === 'analysis') {
    const { component = '', vulnerability = '', project } = Object.fromEntries(url.searchParams);
    const found = projects.find((one) => one.project.uuid === project);
    const analysis = found?.analyses[`${component}:${vulnerability}`];
    return analysis === undefined ? reply(response, 404, null) : reply(response, 200, analysis);
  }
  reply(response, 404, null);
}

function bomOf({ project: { name, version }, components }: FakeDtProject): unknown {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: { type: 'application', name, ...(version && { version }) },
    },
    components,
  };
}

function replyPage(response: ServerResponse, url: URL, rows: readonly unknown[]): void {
  const size = Math.min(maxPage, Number(url.searchParams.get('pageSize') ?? maxPage));
  const from = (Number(url.searchParams.get('pageNumber') ?? 1) - 1) * size;
  response.setHeader('x-total-count', rows.length);
  reply(response, 200, rows.slice(from, from + size));
}

function replyAll(response: ServerResponse, rows: readonly unknown[]): void {
  response.setHeader('x-total-count', rows.length);
  reply(response, 200, rows);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === null ? undefined : JSON.stringify(body));
}
