import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** HTTP server with health and metrics of a process, for its orchestrator and Prometheus. */
export interface InternalServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Checks that only degrade readiness: reads work without them, so the process must keep its traffic. */
const degrading: ReadonlySet<string> = new Set(['jetstream']);

/**
 * Serves `GET /healthz` (200 while the process runs), `GET /readyz` (200 if its connections are up and it accepts
 * work, `degraded` while JetStream stores nothing; else 503) and `GET /metrics` (Prometheus text format).
 *
 * @throws Error with code EADDRINUSE if the port is in use
 */
export async function openInternalServer(options: {
  host: string;
  port: number;
  registry: Registry;
  checks: () => Promise<Record<string, 'up' | 'down'>>;
}): Promise<InternalServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const respond = async (): Promise<void> => {
      if (path === '/healthz') send(200, { status: 'ok' });
      else if (path === '/readyz') {
        const checks = await options.checks();
        const down = Object.keys(checks).filter((name) => checks[name] === 'down');
        const ready = down.every((name) => degrading.has(name));
        const status = down.length === 0 ? 'ready' : ready ? 'degraded' : 'not_ready';
        send(ready ? 200 : 503, { status, checks });
      } else if (path === '/metrics') {
        const text = await options.registry.metrics();
        response.writeHead(200, { 'content-type': options.registry.contentType }).end(text);
      } else send(404, { detail: 'Available: /healthz, /readyz and /metrics.' });
    };
    respond().catch(() => send(500, { detail: 'Internal Server Error' }));
  });
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
