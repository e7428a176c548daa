import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { proxyFor, type Proxies } from '@bomtrail/outbound';
import { inSpan } from '@bomtrail/telemetry';
import { publicAddress, publicLookup, type Resolve } from './public-lookup';
import { openTunnel } from './tunnel';

/** Maximum bytes read of a response; the relevant fields come first. */
const readBytes = 8 * 1024;

/** `code` of the error if the receiver switches protocols (101). */
export const otherProtocol = 'EUPGRADED';

export interface Post {
  url: URL;
  body: string;
  /** Beside those of JSON. */
  headers?: Readonly<Record<string, string>>;
  /** Whether connections to internal addresses are allowed. */
  anyAddress: boolean;
  resolve: Resolve;
  proxies: Proxies;
  signal: AbortSignal;
}

export interface RpcResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Beginning of the body; empty after a success. */
  body: string;
}

/**
 * Posts JSON once over its own connection. Redirects are returned, not followed.
 *
 * @throws the connection's error, whose message may contain the address
 */
export function post(given: Post): Promise<RpcResponse> {
  // The path of a webhook is secret, and receivers get no trace context.
  const attributes = { 'http.request.method': 'POST', 'server.address': given.url.hostname };
  return inSpan({ name: 'POST', kind: 'client', attributes }, async (span) => {
    const answer = await postOnce(given);
    span?.note({ 'http.response.status_code': answer.status });
    if (answer.status >= 400) span?.fail(String(answer.status));
    return answer;
  });
}

async function postOnce(given: Post): Promise<RpcResponse> {
  const { url, body, signal } = given;
  const connection = await connectionOf(given);
  const options: RequestOptions = {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'bomtrail',
      Accept: 'application/json, text/plain;q=0.9',
      ...given.headers,
    },
    signal,
    ...connection,
  };
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    open(url, options)
      .once('response', answered)
      // Protocol switched, or closed without a response: nothing else follows.
      .once('upgrade', (_response, socket) => {
        socket.destroy();
        failed(Object.assign(new Error('another protocol'), { code: otherProtocol }));
      })
      .on('error', failed)
      .once('close', () => failed(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })))
      .end(body);
  });
  const { statusCode: status = 0, headers } = response;
  // A success status means that the message was accepted: the body is not read.
  const taken = status >= 200 && status < 300;
  if (taken) response.destroy();
  return { status, headers, body: taken ? '' : await beginningOf(response) };
}

/**
 * How to connect: directly, or through a proxy. A proxy would resolve the name again and could reach an internal address
 * that the name has by then. The tunnel is therefore to the address that was checked, and the certificate is that of
 * the name.
 */
async function connectionOf(given: Post): Promise<RequestOptions> {
  const { url, anyAddress, resolve, proxies, signal } = given;
  const proxy = proxyFor(proxies, url);
  // A reused connection would have been checked for another message.
  if (proxy === null)
    return { agent: false, ...(anyAddress ? {} : { lookup: publicLookup(resolve) }) };
  const isSecure = url.protocol === 'https:';
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const host = anyAddress ? name : await publicAddress(resolve, name);
  const port = Number(url.port) || (isSecure ? 443 : 80);
  const socket = await openTunnel({ proxy, host, port, signal });
  const servername = isIP(name) === 0 ? { servername: name } : { host: name };
  return {
    // Without an agent, which would ignore `createConnection`.
    defaultPort: isSecure ? 443 : 80,
    createConnection: () => (isSecure ? connectTls({ socket, ...servername }) : socket),
  };
}

/** Reads the body up to the limit or an early end; the status alone decides the outcome. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.byteLength;
      if (bytes >= readBytes) break;
    }
  } catch {
    // The connection ended early.
  }
  response.destroy();
  return Buffer.concat(parts).subarray(0, readBytes).toString('utf8');
}
