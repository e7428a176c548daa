import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { inSpan } from '@bomtrail/telemetry';
import { publicLookup, type Resolve } from './public-lookup';

/** Maximum bytes read of a response; the relevant fields come first. */
const readBytes = 8 * 1024;

/** `code` of the error if the receiver switches protocols (101). */
export const otherProtocol = 'EUPGRADED';

export interface Post {
  url: URL;
  body: string;
  /** Whether connections to internal addresses are allowed. */
  anyAddress: boolean;
  resolve: Resolve;
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

async function postOnce({ url, body, anyAddress, resolve, signal }: Post): Promise<RpcResponse> {
  const options: RequestOptions = {
    method: 'POST',
    // A reused connection would have been checked for another message.
    agent: false,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'bomtrail',
      Accept: 'application/json, text/plain;q=0.9',
    },
    signal,
    ...(anyAddress ? {} : { lookup: publicLookup(resolve) }),
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
