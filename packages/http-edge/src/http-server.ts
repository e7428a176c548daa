import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { answerBrokenRequest, refuseTunnel } from './broken-request';
import { limitConnections, type ConnectionLimits } from './connection-limits';

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, finishes running requests, then closes every connection. */
  close(): Promise<void>;
}

/** Time limit of a whole request: 64 MiB over a slow connection, plus waiting for a slot. */
export const requestTimeoutMs = 15 * 60_000;
/** Time limit of the headers. */
const headersTimeoutMs = 30_000;
/** Longer than the idle timeout of common proxies (60 s), so that they close first. */
const keepAliveTimeoutMs = 65_000;
/** Idle timeout of a connection in use; the longest wait for a response is 3 minutes. */
const silenceMs = 5 * 60_000;
const idleCheckMs = 50;

/** @throws Error with code EADDRINUSE if the port is taken */
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
      // Checked later, where the response has the contract's shape.
      requireHostHeader: false,
    },
    options.listener,
  );
  limitConnections(server, options.connections);
  server.setTimeout(silenceMs);
  // Whether to continue is decided where the body is read.
  server.on('checkContinue', options.listener);
  // Other expectations may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', options.listener);
  server.on('connect', (_request, socket) => refuseTunnel(socket));
  server.on('clientError', answerBrokenRequest);
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => close(server),
  };
}

/** Resolves once the server listens. @throws Error with code EADDRINUSE if the port is taken */
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
    // A keep-alive connection becomes idle only after its last response.
    const closing = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
  });
}
