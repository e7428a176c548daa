import { BenchFailure } from '../bench-failure';

export interface HttpResponse {
  status: number;
  body: Buffer;
  /** False when the server closes the connection after it. */
  keepAlive: boolean;
}

interface Head {
  status: number;
  keepAlive: boolean;
  /** Undefined: the body comes in chunks. */
  length: number | undefined;
  /** Where the body begins. */
  end: number;
}

/**
 * Puts the bytes of one HTTP/1.1 answer together (RFC 9112): feed it what arrives, until it gives the
 * answer. Takes bodies with `Content-Length` and in chunks. Throws a `BenchFailure` on anything else, and
 * on bytes behind the answer.
 */
export function createResponseReader(): (chunk: Buffer) => HttpResponse | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  let head: Head | undefined;
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    head ??= readHead(joined(chunks));
    if (head === undefined) return undefined;
    const { status, keepAlive, length, end } = head;
    if (length === undefined) {
      const body = readChunks(joined(chunks).subarray(end));
      return body && { status, body, keepAlive };
    }
    if (size < end + length) return undefined;
    if (size > end + length) throw new BenchFailure('more bytes came than the answer has');
    return { status, body: joined(chunks).subarray(end), keepAlive };
  };
}

/** Joins the pieces in place, so that none is copied twice for the same look. */
function joined(chunks: Buffer[]): Buffer {
  const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  if (chunks.length > 1) chunks.splice(0, chunks.length, all as Buffer);
  return all ?? Buffer.alloc(0);
}

function readHead(bytes: Buffer): Head | undefined {
  const at = bytes.indexOf('\r\n\r\n');
  if (at === -1) return undefined;
  const text = bytes.toString('latin1', 0, at);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
  if (!(status >= 200)) throw new BenchFailure(`not an HTTP/1.1 answer: ${text.slice(0, 80)}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(text);
  const hasNoBody = status === 204 || status === 304;
  if (length === undefined && !isChunked && !hasNoBody) {
    throw new BenchFailure('the answer does not say how long it is');
  }
  return {
    status,
    keepAlive: !/\r\nconnection: *close/i.test(text),
    length: isChunked ? undefined : Number(length ?? 0),
    end: at + 4,
  };
}

/** The body without its chunk sizes; undefined while it is not complete. Trailers are not expected. */
function readChunks(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (!Number.isInteger(size)) throw new BenchFailure('the answer has a broken chunk');
    const begin = lineEnd + 2;
    if (bytes.length < begin + size + 2) return undefined;
    at = begin + size + 2;
    if (size > 0) {
      parts.push(bytes.subarray(begin, begin + size));
      continue;
    }
    if (bytes.length > at) throw new BenchFailure('more bytes came than the answer has');
    return Buffer.concat(parts);
  }
}
