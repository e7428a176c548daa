import type { WireRequest } from './wire';

/** Header names and values; a value may hold bytes beyond ASCII, which are sent as Latin-1. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/**
 * One request that a client should not send, and what it is told. In texts `$KEY`, `$PROJECT`, `$SBOM`
 * and the other names of `Harness` stand for what exists in the running stack.
 */
export interface BadRequest {
  /** What is sent. */
  title: string;
  method?: string;
  /** With the query; sent as it stands, in Latin-1. */
  path?: string;
  /** On top of `Host`, `Connection` and the key; a header of the same name takes their place, null leaves it out. */
  headers?: Readonly<Record<string, string | null>>;
  /** Sent as further lines, after all others. */
  moreHeaders?: HeaderList;
  body?: string | Buffer;
  /** In place of all of the above: the bytes themselves, in Latin-1. */
  raw?: string;
  halfClose?: boolean;
  /** The bytes are sent in so many pieces with short pauses. */
  pieces?: number;
  /** null: the line is closed without an answer. */
  status: number | null;
  /** `code` of the answer's body. */
  code?: string;
  /** Of a 422: `place type` of every problem. */
  problems?: readonly string[];
}

/** What exists in the running stack, by the name under which requests speak of it. */
export type Harness = Readonly<Record<string, string>>;

const pieceMs = 15;

/** Puts the names of the world in their place. Longer names come first: `$SBOM2` is not `$SBOM`. */
export function inHarness(text: string, harness: Harness): string {
  const names = Object.keys(harness).sort((one, other) => other.length - one.length);
  return names.reduce((done, name) => done.replaceAll(`$${name}`, harness[name] ?? ''), text);
}

/** The bytes of a request. A body gets a `Content-Length` unless the case says how it is framed. */
export function toWire(request: BadRequest, harness: Harness): WireRequest {
  const bytes =
    request.raw === undefined
      ? compose(request, harness)
      : placed(Buffer.from(request.raw, 'latin1'), harness);
  const wire = { bytes: split(bytes, request.pieces ?? 1), pauseMs: pieceMs };
  return request.halfClose ? { ...wire, halfClose: true } : wire;
}

/** Bytes with the names put in their place: Latin-1 keeps every byte as it is. */
function placed(bytes: Buffer, harness: Harness): Buffer {
  return Buffer.from(inHarness(bytes.toString('latin1'), harness), 'latin1');
}

function compose(request: BadRequest, harness: Harness): Buffer {
  const { method = 'GET', path = '/api/v1/projects', body, moreHeaders = [] } = request;
  const bytes = body === undefined ? undefined : placed(Buffer.from(body), harness);
  const headers: Record<string, string | null> = {
    host: 'localhost',
    connection: 'close',
    authorization: 'Bearer $KEY',
    ...(bytes === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    ...request.headers,
  };
  const sent = Object.entries(headers).filter(([, value]) => value !== null);
  const lines = [...sent, ...moreHeaders].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(inHarness(head, harness), 'latin1'), bytes ?? Buffer.alloc(0)]);
}

function split(bytes: Buffer, pieces: number): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
