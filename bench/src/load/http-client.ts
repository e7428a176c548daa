import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { BenchFailure } from '../bench-failure';

/** Longer than any single request of a healthy stack, even with the machine overloaded. */
const requestTimeoutMs = 60_000;

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: Buffer;
}

export interface HttpResponse {
  status: number;
  body: Buffer;
}

export interface HttpClient {
  /** Fails with a `BenchFailure` on a broken connection or after 60 s; with the signal's reason on abort. */
  send(message: HttpRequest): Promise<HttpResponse>;
  close(): void;
}

/** Keeps up to `connections` connections to `baseUrl` (http, an address of this machine) open between requests. */
export function createHttpClient(options: {
  baseUrl: string;
  connections: number;
  signal: AbortSignal;
}): HttpClient {
  const { hostname, port, protocol } = new URL(options.baseUrl);
  if (protocol !== 'http:' || !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    throw new BenchFailure(`the bench talks to this machine only, not to ${options.baseUrl}`);
  }
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const send = (message: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const { method, path, body } = message;
      const fail = (error: Error): void => {
        const aborted: unknown = options.signal.aborted ? options.signal.reason : undefined;
        reject(
          aborted instanceof Error
            ? aborted
            : new BenchFailure(`${method} ${path}: ${error.message}`),
        );
      };
      const headers = { ...message.headers, 'content-length': body?.length ?? 0 };
      const outgoing = request(
        { agent, hostname, port, method, path, headers, signal: options.signal },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', fail);
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }),
          );
        },
      );
      outgoing.setTimeout(requestTimeoutMs, () => outgoing.destroy(new Error('no answer in 60 s')));
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  return { send, close: () => agent.destroy() };
}
