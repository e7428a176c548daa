import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { inSpan } from '@bomtrail/service-kit';
import { publicLookup, type Resolve } from './public-lookup';

/** More of an answer is not read: the fields that mean something come first. */
const readBytes = 8 * 1024;

/** `code` of the error when the receiver switches to another protocol in place of an answer (101). */
export const otherProtocol = 'EUPGRADED';

export interface Post {
  url: URL;
  body: string;
  /** Whether internal addresses may be connected to. */
  anyAddress: boolean;
  resolve: Resolve;
  signal: AbortSignal;
}

export interface RpcResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of it; empty after a success. */
  body: string;
}

/**
 * Posts JSON, once, over a connection of its own. Redirects are not followed: they are answers like others.
 *
 * @throws whatever the connection fails with; its message may hold the address
 */
export function post(given: Post): Promise<RpcResponse> {
  // The path of a webhook is its secret, and the receiver is not told of our traces.
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
    // A connection that is kept would have been checked for another message.
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
      // Switched to another protocol, or closed without an answer: neither is followed by anything else.
      .once('upgrade', (_response, socket) => {
        socket.destroy();
        failed(Object.assign(new Error('another protocol'), { code: otherProtocol }));
      })
      .on('error', failed)
      .once('close', () => failed(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })))
      .end(body);
  });
  const { statusCode: status = 0, headers } = response;
  // With the status of a success the message was taken: what else it says is not waited for.
  const taken = status >= 200 && status < 300;
  if (taken) response.destroy();
  return { status, headers, body: taken ? '' : await beginningOf(response) };
}

/** What comes before the bound or an early end: the status alone says whether the message was taken. */
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
