import { EncodedForm } from './encoded-form';

/** An error response. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    /** Human-readable error of the server. */
    readonly detail: string,
  ) {
    super(`${status}${code ? ` ${code}` : ''}: ${detail}`);
    this.name = 'ApiError';
  }
}

/** What is sent: a part of the options of `fetch`. */
export interface HttpRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
}

/** What is read of a response: a part of the `Response` of `fetch`. */
export interface HttpResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Its bytes as an async iterable. */
  readonly body: unknown;
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Sends a request. The global `fetch` is one. */
export type HttpSend = (url: URL, request?: HttpRequest) => Promise<HttpResponse>;

export interface Target {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  /** Default: the global `fetch`. */
  fetch?: HttpSend;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Without the query. */
  path: string;
  query?: Record<string, string | number | undefined>;
  /** A value to send as JSON, or a form. */
  body?: unknown;
}

/**
 * Makes one call and returns the response with any status.
 *
 * @throws ApiError (422) for an id such as `../x`, which would make it another call
 */
export async function send(target: Target, call: Call): Promise<HttpResponse> {
  const url = new URL(target.baseUrl + call.path);
  if (!url.pathname.endsWith(call.path))
    throw new ApiError(422, null, `${call.path} has an invalid id.`);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { authorization: `Bearer ${target.apiKey}` };
  const { contentType, body } = encoded(call.body);
  if (contentType !== null) headers['content-type'] = contentType;
  return (target.fetch ?? fetch)(url, {
    method: call.method ?? 'GET',
    headers,
    ...(body !== undefined && { body }),
  });
}

/** A body with its type; null: `fetch` sets it. */
function encoded(body: unknown): { contentType: string | null; body?: HttpRequest['body'] } {
  if (body === undefined) return { contentType: null };
  if (body instanceof EncodedForm) return { contentType: body.contentType, body: body.bytes };
  // Not by `instanceof`: Node.js loads all of `fetch` when the global `FormData` is read.
  if (Object.prototype.toString.call(body) === '[object FormData]')
    return { contentType: null, body: body as FormData };
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

/**
 * Makes one call and reads its JSON body.
 *
 * @param has fields that every answer has: another program may answer with JSON, too
 * @throws ApiError unless the status is a success and the body is JSON with these fields
 */
export async function sendForJson<Body>(
  target: Target,
  call: Call,
  ...has: (keyof NoInfer<Body> & string)[]
): Promise<Body> {
  const response = await send(target, call);
  if (!response.ok) throw await errorOf(response);
  if (response.status === 204 && has.length === 0) return undefined as Body;
  const text = await response.text();
  const body = objectIn(text);
  // Such as the page at which a proxy asks people to sign in, with the status 200.
  if (body === null || !has.every((field) => field in body))
    throw foreignAnswer(response.status, text);
  return body as Body;
}

/** Reads a list as CSV, in pieces of text. @throws ApiError unless the status is a success and the body is CSV */
export async function* sendForCsv(target: Target, call: Call): AsyncGenerator<string> {
  const response = await send(target, { ...call, query: { ...call.query, format: 'csv' } });
  if (!response.ok) throw await errorOf(response);
  if (!response.headers.get('content-type')?.startsWith('text/csv'))
    throw foreignAnswer(response.status, await response.text());
  const decoder = new TextDecoder();
  for await (const bytes of response.body as AsyncIterable<Uint8Array>)
    yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** Reads the error of a response. Proxies before the server have errors of their own, in JSON too: without `code`. */
export async function errorOf(response: HttpResponse): Promise<ApiError> {
  const { status } = response;
  const text = await response.text();
  const { detail, code } = objectIn(text) ?? {};
  const sentence = sentenceOf(detail);
  if (sentence === null) return foreignAnswer(status, text);
  const named = typeof code === 'string' ? code : null;
  return new ApiError(status, named, withDelay(sentence, response.headers.get('retry-after')));
}

/** Texts of the server name the header with the delay, which readers of an error do not see. */
export function withDelay(text: string, retryAfter: string | null): string {
  return retryAfter === null ? text : text.replace('the seconds in Retry-After', `${retryAfter} s`);
}

/** The error for a response that the API cannot have sent. */
function foreignAnswer(status: number, text: string): ApiError {
  return new ApiError(status, null, text.slice(0, 200));
}

/** Null: the text is not JSON, or no object and no list. */
function objectIn(text: string): { detail?: unknown; code?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** The sentence of an error: as it is, or of each field that is wrong (422). Null: there is none. */
function sentenceOf(detail: unknown): string | null {
  if (typeof detail === 'string') return detail;
  if (!Array.isArray(detail) || detail.length === 0) return null;
  return (detail as FieldProblem[]).map(problemText).join(' ');
}

interface FieldProblem {
  loc?: unknown[];
  msg?: unknown;
  input?: unknown;
}

function problemText({ loc, msg, input }: FieldProblem): string {
  const field = (loc ?? []).slice(1).join('.');
  const given = typeof input === 'string' && input !== '' ? ` (given: "${input}")` : '';
  return `${field === '' ? '' : `${field}: `}${String(msg ?? 'is wrong')}${given}.`;
}
