import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { answerBrokenRequest, refuseTunnel } from './broken-request';
import { limitConnections, type ConnectionLimits } from './connection-limits';

export interface HttpServer {
  readonly port: number;
  /** Accepts nothing new, finishes the requests in flight, then closes every connection. */
  close(): Promise<void>;
}

/** For a whole request: 64 MiB over a slow line, and the wait for its turn. */
export const requestTimeoutMs = 15 * 60_000;
/** A client that dribbles its headers holds a connection no longer than this. */
const headersTimeoutMs = 30_000;
/** Longer than the idle time of the usual proxies (60 s), so that they close first. */
const keepAliveTimeoutMs = 65_000;
/** A line on which nothing moves for so long is cut; the longest wait for an answer is 3 minutes. */
const silenceMs = 5 * 60_000;
const idleCheckMs = 50;

/** @throws Error with code EADDRINUSE when the port is taken */
export async function openHttpServer(options: {
  host: string;
  port: number;
  listener: RequestListener;
  connections: ConnectionLimits;
}): Promise<HttpServer> {
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Looked at behind it, where the answer is in the contract's shape.
      requireHostHeader: false,
    },
    options.listener,
  );
  limitConnections(server, options.connections);
  server.setTimeout(silenceMs);
  // Whether the body may come is decided where it is read.
  server.on('checkContinue', options.listener);
  // What else a client expects it need not be given (RFC 9110, 10.1.1).
  server.on('checkExpectation', options.listener);
  server.on('connect', (_request, socket) => refuseTunnel(socket));
  server.on('clientError', answerBrokenRequest);
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => close(server),
  };
}

/** Resolves once the server listens. @throws Error with code EADDRINUSE when the port is taken */
export function listen(server: NetServer, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept alive becomes idle only when its last answer is out.
    const closing = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
  });
}
