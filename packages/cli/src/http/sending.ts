import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { HttpResponse } from '@bomtrail/api-client';

const chunkBytes = 64 * 1024;

/** One attempt to send a request. */
export interface SentRequest {
  method: string;
  headers: Record<string, string>;
  /** A stream comes with its `content-length`. */
  body?: string | Readable;
  signal: AbortSignal;
}

/**
 * Sends a request once and reads the whole response; redirects are not followed.
 *
 * @throws TypeError with the error of the connection as `cause`, or the reason of the signal
 */
export type Sending = (url: URL, request: SentRequest) => Promise<HttpResponse>;

/** Called with the number of bytes of a request body handed to the network. */
export type SendProgress = (sent: number, total: number) => void;

/** Sends with a `fetch`. */
export function sendingBy(fetch: typeof globalThis.fetch): Sending {
  return async (url, request) => {
    const init = { ...request, redirect: 'manual', duplex: 'half' };
    const response = await fetch(url, init as unknown as RequestInit);
    const content = Buffer.from(await response.arrayBuffer());
    return bufferedResponse(response.status, Object.fromEntries(response.headers), content);
  };
}

/** A response that was read completely. */
export function bufferedResponse(
  status: number,
  headers: IncomingHttpHeaders,
  content: Buffer = Buffer.alloc(0),
): HttpResponse {
  const text = async (): Promise<string> => new TextDecoder().decode(content);
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: {
      get(name) {
        const value = headers[name.toLowerCase()];
        return value === undefined ? null : String(value);
      },
    },
    body: Readable.from([content]),
    text,
    json: async () => JSON.parse(await text()) as unknown,
    arrayBuffer: async () => new Uint8Array(content).buffer,
  };
}

/** Bytes as a stream that reports its progress. */
export function countedBody(bytes: Uint8Array, progress: SendProgress): Readable {
  function* chunks(): Generator<Uint8Array> {
    for (let sent = 0; sent < bytes.length;) {
      const chunk = bytes.subarray(sent, sent + chunkBytes);
      sent += chunk.length;
      yield chunk;
      progress(sent, bytes.length);
    }
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: 1 });
}
