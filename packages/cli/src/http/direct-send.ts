import type * as Http from 'node:http';
import type * as Https from 'node:https';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { bufferedResponse, type Sending } from './sending';

/** As that of `fetch` in Node.js. */
const connectMs = 10_000;
const unpacked = promisify(gunzip);

/**
 * Sends a request without a proxy, and reads the whole response. Node.js loads its `fetch` only when it is used, which
 * takes longer than the rest of a call; this needs its HTTP client alone.
 *
 * @throws TypeError with the error of the connection as `cause`, as `fetch` does
 */
export const directSend: Sending = async (url, request) => {
  try {
    const response = await exchange(url, request);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response) chunks.push(chunk as Uint8Array);
    const received = Buffer.concat(chunks);
    const isPacked = response.headers['content-encoding'] === 'gzip' && received.length > 0;
    const content = isPacked ? await unpacked(received) : received;
    return bufferedResponse(response.statusCode ?? 0, response.headers, content);
  } catch (cause) {
    const { signal } = request;
    throw signal.aborted ? signal.reason : new TypeError('fetch failed', { cause });
  }
};

function exchange(
  url: URL,
  { method, headers, body, signal }: Parameters<Sending>[1],
): Promise<Http.IncomingMessage> {
  const { request } = clientFor(url);
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers: { 'accept-encoding': 'gzip', ...headers },
      signal,
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.once('socket', (socket) => {
      if (!socket.connecting) return;
      const late = setTimeout(() => {
        sent.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
      }, connectMs);
      socket.once('connect', () => clearTimeout(late));
      socket.once('close', () => clearTimeout(late));
    });
    if (body === undefined || typeof body === 'string') sent.end(body);
    else (body as Readable).on('error', reject).pipe(sent);
  });
}

/** Loaded on demand: most servers are one or the other. */
function clientFor({ protocol }: URL): typeof Http | typeof Https {
  /* oxlint-disable typescript/no-require-imports */
  return protocol === 'https:'
    ? (require('node:https') as typeof Https)
    : (require('node:http') as typeof Http);
}
