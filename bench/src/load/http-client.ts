import { Pool, type Dispatcher } from 'undici';
import { BenchFailure } from '../bench-failure';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** A request whose bytes were made before, so that sending it costs next to nothing. */
export interface PreparedRequest {
  /** Method and path. */
  name: string;
  options: Dispatcher.RequestOptions;
}

export interface HttpResponse {
  status: number;
  body: Buffer;
}

export interface HttpClient {
  prepare(message: HttpRequest): PreparedRequest;
  /** Fails with a `BenchFailure` on a broken connection or after 60 s; with the signal's reason on abort. */
  send(request: PreparedRequest): Promise<HttpResponse>;
  close(): void;
}

/** Longer than any single request of a healthy stack, even with the machine overloaded. */
const silenceMs = 60_000;

/** Keeps as many connections to `baseUrl` (http, an address of this machine) as there were requests at a time. */
export function createHttpClient(options: { baseUrl: string; signal: AbortSignal }): HttpClient {
  const { baseUrl, signal } = options;
  const { hostname, origin, protocol } = new URL(baseUrl);
  if (protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(hostname)) {
    throw new BenchFailure(`the bench talks to this machine only, not to ${baseUrl}`);
  }
  const pool = new Pool(origin, { headersTimeout: silenceMs, bodyTimeout: silenceMs });
  const close = (): void => void pool.destroy();
  signal.addEventListener('abort', close);
  return {
    prepare: (message) => ({ name: `${message.method} ${message.path}`, options: message }),
    send: async ({ name, options }) => {
      signal.throwIfAborted();
      try {
        const { statusCode, body } = await pool.request(options);
        return { status: statusCode, body: Buffer.from(await body.arrayBuffer()) };
      } catch (error) {
        signal.throwIfAborted();
        throw new BenchFailure(`${name}: ${error instanceof Error ? error.message : error}`);
      }
    },
    close: () => {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}
