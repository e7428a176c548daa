import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  boundLeftoverBody,
  openHttpServer,
  requestIdOf,
  securityHeaders,
  type ConnectionLimits,
} from '@bomtrail/http-edge';
import { errorTable, type ErrorCode } from '@bomtrail/messages';
import { createProxyServer } from 'httpxy';
import { GatewayConnections } from './gateway-connections';
import { watchGateways, type GatewayPorts } from './gateways';
import type { OpenTransport } from './run-reverse-proxy';

export interface ProxyOptions {
  host: string;
  port: number;
  gateways: readonly GatewayPorts[];
  /** Port of the host metrics collector. */
  hostMetricsPort: number;
  connections: ConnectionLimits;
  /** Called for requests that no gateway answered. */
  onError: (reason: string) => void;
}

/** Maximum idle connections to the gateways. */
const idleConnections = 64;
/** Shorter than the idle timeout of a gateway (65 s), so that no closing connection is used. */
const idleMs = 60_000;
/** Methods that may be repeated if the connection breaks before a response (RFC 9110, 9.2.2). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Opens the reverse proxy: `GET /metrics` goes to the host metrics collector, everything else to a gateway. Bodies
 * are streamed in both directions.
 * Appends the client address to `X-Forwarded-For`; a gateway that trusts one proxy uses that entry, whatever the
 * client sent.
 *
 * @throws Error with code EADDRINUSE if the port is in use
 */
export async function openProxy(options: ProxyOptions): Promise<OpenTransport & { port: number }> {
  const gateways = watchGateways(options.gateways);
  const agents = {
    connections: new GatewayConnections(gateways, {
      keepAlive: true,
      maxFreeSockets: idleConnections,
      timeout: idleMs,
    }),
    // Non-idempotent requests use a connection that cannot be closing meanwhile.
    fresh: new GatewayConnections(gateways, { keepAlive: false }),
  };
  const proxy = createProxyServer();
  // Keep-alive is negotiated per connection.
  proxy.on('proxyRes', (answer) => {
    delete answer.headers['connection'];
    delete answer.headers['keep-alive'];
  });
  // Errors are passed to each call, so that it can be retried.
  const pass = (request: IncomingMessage, response: ServerResponse, agent: GatewayConnections) =>
    proxy.web(request, response, { target: 'http://gateway', agent });

  const server = await openHttpServer({
    host: options.host,
    port: options.port,
    connections: options.connections,
    listener(request, response) {
      boundLeftoverBody(request, response);
      if (isForCollector(request)) {
        const target = `http://127.0.0.1:${options.hostMetricsPort}`;
        response.setHeader('X-Request-Id', requestIdOf(request));
        proxy.web(request, response, { target }).catch(() => reject(response));
        return;
      }
      if (request.httpVersion === '1.1' && request.headers.host === undefined) {
        reject(response, 'malformed_body', 'The request has no Host header.');
        return;
      }
      preparePass(request, response);
      const mayRepeat = repeatable.has(request.method ?? '');
      pass(request, response, mayRepeat ? agents.connections : agents.fresh)
        .catch((error: unknown) => {
          if (!mayRepeat || response.headersSent || response.destroyed) throw error;
          return pass(request, response, agents.fresh);
        })
        .catch((error: unknown) => {
          if (response.destroyed) return;
          options.onError((error as Error).message);
          reject(response);
        });
    },
  });
  return {
    port: server.port,
    async close() {
      await server.close();
      gateways.stop();
      agents.connections.destroy();
    },
  };
}

function isForCollector({ method, url }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === '/metrics';
}

/** Headers that describe the original request. */
function preparePass(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  const before = headers['x-forwarded-for'];
  const peer = socket.remoteAddress ?? 'unknown';
  headers['x-forwarded-for'] = before === undefined ? peer : `${String(before)}, ${peer}`;
  // A proxy request has an absolute URL (RFC 9112, 3.2.2); the gateway gets the path.
  const absolute = /^https?:\/\/[^/?]*/i.exec(request.url ?? '');
  if (absolute) request.url = request.url?.slice(absolute[0].length).replace(/^(?!\/)/, '/');
  if (/^100-continue$/i.test(headers.expect ?? '')) {
    delete headers.expect;
    response.writeContinue();
  }
}

/** Responds with an error, by default "no gateway was reached"; a response in progress is cut. */
function reject(
  response: ServerResponse,
  code: ErrorCode = 'service_unavailable',
  detail: string = errorTable[code].detail,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(errorTable[code].http, {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestIdOf(response.req),
    ...(code === 'service_unavailable' ? { 'retry-after': '1' } : {}),
  });
  response.end(JSON.stringify({ detail, code }));
}
