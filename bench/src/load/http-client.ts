import { BenchFailure } from '../bench-failure';
import { openConnection, type Connection } from './connection';
import type { HttpResponse } from './read-response';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: readonly Buffer[];
}

/** A request as its bytes on the wire, so that sending it costs next to nothing. */
export interface PreparedRequest {
  /** Method and path. */
  name: string;
  bytes: readonly Buffer[];
}

/** As much of HTTP/1.1 as the bench needs, with little CPU: it shares the machine with what it measures. */
export interface HttpClient {
  prepare(message: HttpRequest): PreparedRequest;
  /** Fails with a `BenchFailure` on a broken connection or after 60 s; with the signal's reason on abort. */
  send(request: PreparedRequest): Promise<HttpResponse>;
  close(): void;
}

/** Keeps as many connections to `baseUrl` (http, an address of this machine) as there were requests at a time. */
export function createHttpClient(options: { baseUrl: string; signal: AbortSignal }): HttpClient {
  const { baseUrl, signal } = options;
  const { hostname, host, port, protocol } = new URL(baseUrl);
  if (protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(hostname)) {
    throw new BenchFailure(`the bench talks to this machine only, not to ${baseUrl}`);
  }
  const idle: Connection[] = [];
  const connections = new Set<Connection>();
  const closeAll = (): void => connections.forEach((one) => one.destroy());
  signal.addEventListener('abort', closeAll);

  const takeConnection = (): Connection => {
    for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
      if (one.isOpen()) return one;
      connections.delete(one);
    }
    const opened = openConnection({ host: hostname, port: Number(port) });
    connections.add(opened);
    return opened;
  };

  return {
    prepare: ({ method, path, headers = {}, body = [] }) => {
      const length = body.reduce((sum, part) => sum + part.length, 0);
      const fields = { host, ...headers, 'content-length': String(length) };
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
      return { name: `${method} ${path}`, bytes: [Buffer.from(head), ...body] };
    },
    send: async ({ name, bytes }) => {
      signal.throwIfAborted();
      const connection = takeConnection();
      try {
        const response = await connection.exchange(bytes);
        if (response.keepAlive) idle.push(connection);
        else connection.destroy();
        return response;
      } catch (error) {
        connections.delete(connection);
        signal.throwIfAborted();
        throw new BenchFailure(`${name}: ${error instanceof Error ? error.message : error}`);
      }
    },
    close: () => {
      signal.removeEventListener('abort', closeAll);
      closeAll();
    },
  };
}
