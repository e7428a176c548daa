import { inSpan, type SpanStart } from '@bomtrail/telemetry';
import { requestedPauseMs } from './requested-pause';

/** How to connect, and timeouts until the response, between two chunks of the body, and of the whole request. */
export interface HttpOptions {
  responseMs: number;
  stallMs: number;
  totalMs: number;
  /** Makes the requests, through a proxy where one is set; default: directly. */
  fetch?: typeof fetch;
}

/** Base address of a server. */
export interface HttpBase {
  /** Without credentials, query and trailing slash. */
  url: string;
  /** Query of the configured address, for example a token; sent with every request. */
  query: string;
  authorization: string | null;
  http: HttpOptions;
  /** Until then the server asked for no further requests, in ms since 1970. */
  pause: { until: number };
}

/** Metadata of a response body. */
export interface ResponseHead {
  /** ETag, else Last-Modified; null for neither. */
  fingerprint: string | null;
  lastModified: Date | null;
}

export interface GetRequest {
  /** Below the base address, with leading slash, encoded. */
  path: string;
  /** Fingerprint of the stored file, null for none. */
  known: string | null;
  signal: AbortSignal;
}

/** The server did not respond. */
export class Unreachable extends Error {}

/** The server responded with an unexpected status, or asked to wait when it last did. */
export class HttpStatusError extends Error {}

const maxRedirects = 3;

/**
 * Parses the address of a source. Credentials become a header, the query is kept apart, so that
 * logs and responses contain neither.
 *
 * @param setting the name of the setting with the address
 * @throws Error without the address when it is invalid
 */
export function httpBase(
  configured: string,
  http: HttpOptions,
  setting = 'BOMTRAIL_ADVISORY_SOURCE',
): HttpBase {
  // The message of `new URL` contains the text, which may contain a secret.
  if (!URL.canParse(configured)) throw new Error(`${setting} is not a valid URL`);
  const url = new URL(configured);
  const { username, password, search: query } = url;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    url: url.href.replace(/\/+$/, ''),
    query,
    authorization: pair === ':' ? null : `Basic ${Buffer.from(pair).toString('base64')}`,
    http,
    pause: { until: 0 },
  };
}

/**
 * Downloads a file unless it is the known one and passes its body to `take`, which may stop early.
 * Rejects when the body is truncated.
 *
 * @returns the result of `take`; `unchanged` for the known file; `absent` for status 404
 * @throws Error with a readable reason; `Unreachable` without a response, `HttpStatusError` for any
 *   other status
 */
export async function getFile<Result>(
  base: HttpBase,
  request: GetRequest,
  take: (body: AsyncIterable<Uint8Array>, head: ResponseHead) => Promise<Result>,
): Promise<Result | 'unchanged' | 'absent'> {
  if (base.pause.until > Date.now())
    throw new HttpStatusError(reasonOf(base, request.path, pauseOf(base)));
  const watch = createWatch(request.signal, base.http.totalMs);
  try {
    const response = await send(base, request, watch);
    try {
      if (response.status === 304) return 'unchanged';
      if (response.status === 404) return 'absent';
      const pauseMs = requestedPauseMs(response, Date.now());
      if (pauseMs > 0) base.pause.until = Date.now() + pauseMs;
      if (!response.ok || !response.body)
        throw new HttpStatusError(reasonOf(base, request.path, statusOf(response)));
      const head = headOf(response);
      if (head.fingerprint !== null && head.fingerprint === request.known) return 'unchanged';
      return await take(piecesOf(response.body, watch, base.http.stallMs), head);
    } finally {
      if (!response.body?.locked) await response.body?.cancel().catch(() => {});
    }
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof Unreachable || error instanceof HttpStatusError) throw error;
    throw new Error(reasonOf(base, request.path, error), { cause: error });
  } finally {
    watch.end();
  }
}

/** Follows redirects within the configured server only. */
async function send(base: HttpBase, request: GetRequest, watch: Watch): Promise<Response> {
  let url = new URL(base.url + request.path + base.query);
  const headers = {
    ...conditionOf(request.known),
    ...(base.authorization ? { authorization: base.authorization } : {}),
  };
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await sendOnce(base, url, { headers, watch, path: request.path });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || response.status === 304 || !location)
      return response;
    await response.body?.cancel();
    const target = new URL(location, url);
    if (target.origin !== url.origin)
      throw new Error(`redirected to ${target.host}: configure that address instead`);
    url = target;
  }
  throw new Error('too many redirects');
}

async function sendOnce(
  base: HttpBase,
  url: URL,
  request: { headers: Record<string, string>; watch: Watch; path: string },
): Promise<Response> {
  const { headers, watch } = request;
  try {
    return await watch.within(
      base.http.responseMs,
      inSpan(outgoing(url), async (span) => {
        const response = await (base.http.fetch ?? fetch)(url, {
          headers,
          redirect: 'manual',
          signal: watch.signal,
        });
        span?.note({ 'http.response.status_code': response.status });
        return response;
      }),
    );
  } catch (error) {
    throw new Unreachable(reasonOf(base, request.path, error), { cause: error });
  }
}

/** Neither path nor query is traced: they may contain a token. */
function outgoing(url: URL): SpanStart {
  return {
    name: 'GET',
    kind: 'client',
    attributes: { 'http.request.method': 'GET', 'server.address': url.hostname },
  };
}

async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  watch: Watch,
  stallMs: number,
): AsyncIterable<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await watch.within(stallMs, reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

const etagPrefix = 'etag ';
const timePrefix = 'modified ';

function headOf(response: Response): ResponseHead {
  const etag = response.headers.get('etag');
  const modified = response.headers.get('last-modified');
  const at = modified === null ? Number.NaN : Date.parse(modified);
  return {
    fingerprint: etag ? etagPrefix + etag : modified ? timePrefix + modified : null,
    lastModified: Number.isNaN(at) ? null : new Date(at),
  };
}

function conditionOf(known: string | null): Record<string, string> {
  if (known?.startsWith(etagPrefix)) return { 'if-none-match': known.slice(etagPrefix.length) };
  if (known?.startsWith(timePrefix)) return { 'if-modified-since': known.slice(timePrefix.length) };
  return {};
}

function reasonOf(base: HttpBase, path: string, error: unknown): string {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return `${path} of ${new URL(base.url).host} could not be read: ${why}`;
}

function pauseOf({ pause }: HttpBase): Error {
  return new Error(`the server asked to wait until ${new Date(pause.until).toISOString()}`);
}

function statusOf({ status }: Response): Error {
  return new Error(`the server answered with status ${status}`);
}

/** Aborts with the caller's signal or on timeout. */
interface Watch {
  signal: AbortSignal;
  within<Result>(ms: number, awaited: Promise<Result>): Promise<Result>;
  end(): void;
}

function createWatch(outer: AbortSignal, totalMs: number): Watch {
  const late = new AbortController();
  const total = setTimeout(() => late.abort(new Error('the download took too long')), totalMs);
  return {
    signal: AbortSignal.any([outer, late.signal]),
    async within(ms, awaited) {
      const stop = () => late.abort(new Error('it did not answer in time'));
      const timer = setTimeout(stop, ms);
      try {
        return await awaited;
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => clearTimeout(total),
  };
}
