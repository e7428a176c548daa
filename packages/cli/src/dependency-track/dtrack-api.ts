import type { HttpResponse, HttpSend } from '@bomtrail/api-client';
import { serviceError, usageError } from '../exit-codes';
import {
  analysisKey,
  type DtAnalysis,
  type DtFinding,
  type DtLists,
  type DtPolicy,
  type DtProject,
} from './model';

/** Maximum that every supported version accepts. */
const pageSize = 100;

export type DtrackApi = ReturnType<typeof createDtrackApi>;

/** A Dependency-Track server. */
export interface DtrackTarget {
  /** Its API server, without `/api`. */
  url: string;
  apiKey: string;
  /** Retries transient failures. */
  fetch: HttpSend;
}

/**
 * Reads `/api/v1` of Dependency-Track 4 or 5. Every call throws CliError: usage when the key may not read it, else
 * service.
 */
export function createDtrackApi(target: DtrackTarget) {
  return {
    url: target.url,
    /** @throws CliError if another program answers */
    async version(): Promise<string> {
      const about = await json<{ application?: string; version?: string }>(target, '/version');
      if (about?.application !== 'Dependency-Track')
        throw usageError(`${target.url} is not the API server of Dependency-Track.`);
      return about.version ?? 'unknown';
    },
    projects: (): Promise<DtLists['projects']> => all<DtProject>(target, '/v1/project', byUuid),
    /** Null if the key lacks the permission POLICY_MANAGEMENT. */
    async policies(): Promise<DtPolicy[] | null> {
      const { status } = await get(target, '/v1/policy?pageSize=1&pageNumber=1');
      if (status === 401 || status === 403) return null;
      return all<DtPolicy>(target, '/v1/policy', ({ name }) => name);
    },
    /** Suppressed ones, too. */
    findings: (uuid: string): Promise<DtFinding[]> =>
      all<DtFinding>(target, `/v1/finding/project/${uuid}?suppressed=true`, analysisKey),
    /** Null if nobody analysed it. */
    analysis: (project: string, { component, vulnerability }: DtFinding) =>
      json<DtAnalysis>(
        target,
        `/v1/analysis?project=${project}&component=${component.uuid}&vulnerability=${vulnerability.uuid}`,
      ),
    /** The inventory as CycloneDX JSON: Dependency-Track does not keep what was uploaded. Null: unknown project. */
    async bom(uuid: string): Promise<Uint8Array | null> {
      const path = `/v1/bom/cyclonedx/project/${uuid}?format=json&variant=inventory`;
      const response = await get(target, path);
      if (response.status === 404) return null;
      const bytes = await bytesOf(target, response);
      // What is stored is not read again, so a page of a proxy must not be stored as the SBOM.
      if (!isObject(parsed(target, path, bytes))) throw notOfApi(target, path);
      return bytes;
    },
  };
}

const byUuid = ({ uuid }: DtProject): string => uuid;

function get({ url, apiKey, fetch }: DtrackTarget, path: string): Promise<HttpResponse> {
  return fetch(new URL(`${url}/api${path}`), {
    headers: { 'x-api-key': apiKey, accept: 'application/json, application/vnd.cyclonedx+json' },
  });
}

/** @throws CliError unless the status is a success */
function succeeded({ url }: DtrackTarget, response: HttpResponse): HttpResponse {
  if (response.ok) return response;
  const { status } = response;
  if (status === 401)
    throw usageError(`${url} does not know the API key (401); check --dtrack-api-key-file.`);
  if (status === 403)
    throw usageError(
      `${url} refuses the API key (403); its team needs VIEW_PORTFOLIO and VIEW_VULNERABILITY.`,
    );
  throw serviceError(`${url} failed (${status}); repeat the command to go on.`);
}

/** Null for 404. */
async function json<Body>(target: DtrackTarget, path: string): Promise<Body | null> {
  const response = await get(target, path);
  if (response.status === 404 || response.status === 204) return null;
  return parsed(target, path, await bytesOf(target, response)) as Body;
}

/** @throws CliError unless the status is a success */
async function bytesOf(target: DtrackTarget, response: HttpResponse): Promise<Uint8Array> {
  return new Uint8Array(await succeeded(target, response).arrayBuffer());
}

/** @throws CliError (service) if it is not JSON */
function parsed({ url }: DtrackTarget, path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw serviceError(`${url} answers ${path} with something that is not JSON.`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf<Row>(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every(isObject);
}

/** The error for JSON that Dependency-Track cannot have sent. */
function notOfApi({ url }: DtrackTarget, path: string): Error {
  return serviceError(`${url} answers ${path} with JSON that is not of Dependency-Track.`);
}

/**
 * Reads all pages. `X-Total-Count` says how many there are. Some lists of version 4 ignore paging and answer with
 * everything at once; real servers also list a finding twice, so each counts once.
 *
 * @throws CliError (service) if fewer arrive than announced, or if rows vanish meanwhile: those after them move to a page
 * that was read already, so that one of them is missing
 */
async function all<Row>(
  target: DtrackTarget,
  path: string,
  keyOf: (row: Row) => string,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  const separator = path.includes('?') ? '&' : '?';
  let received = 0;
  let announced = 0;
  for (let page = 1; ; page += 1) {
    const paged = `${path}${separator}pageSize=${pageSize}&pageNumber=${page}`;
    const response = await get(target, paged);
    const read = parsed(target, path, await bytesOf(target, response));
    if (!isListOf<Row>(read)) throw notOfApi(target, path);
    const before = rows.size;
    received += read.length;
    for (const row of read) rows.set(keyOf(row), row);
    const total = Number(response.headers.get('x-total-count') ?? Number.NaN);
    if (read.length === 0 && received < total)
      throw serviceError(
        `${target.url} announced ${total} rows of ${path} and sent ${received}; repeat the command.`,
      );
    if (total < announced)
      throw serviceError(`${target.url} changed ${path} while it was read; repeat the command.`);
    announced = total;
    if (read.length === 0 || received >= total) return [...rows.values()];
    const isLast = read.length < pageSize || rows.size === before;
    if (Number.isNaN(total) && isLast) return [...rows.values()];
  }
}
