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
import { GatewayLines } from './gateway-lines';
import { watchGateways, type GatewayPorts } from './gateways';
import type { OpenTransport } from './run-reverse-proxy';

export interface ProxyOptions {
  host: string;
  port: number;
  gateways: readonly GatewayPorts[];
  /** Port of the host metrics collector. */
  hostMetricsPort: number;
  connections: ConnectionLimits;
  /** Told of requests that no gateway answered. */
  onTrouble: (reason: string) => void;
}

/** Idle lines to the gateways that are kept: a reader who waits for nothing needs none. */
const idleLines = 64;
/** A gateway cuts an idle line after 65 s: it is given up before, so that none is used meanwhile. */
const idleMs = 60_000;
/** Methods whose request may be sent again when the line breaks before an answer (RFC 9110, 9.2.2). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The one base address of the embedded run: `GET /metrics` is answered by the host metrics collector,
 * everything else by a gateway. Bodies pass as they come, in both directions.
 *
 * At the end of `X-Forwarded-For` it adds who has connected; a gateway that believes one proxy takes
 * that entry, whatever the client wrote before it.
 *
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function openProxy(options: ProxyOptions): Promise<OpenTransport & { port: number }> {
  const gateways = watchGateways(options.gateways);
  const agents = {
    kept: new GatewayLines(gateways, {
      ...{ keepAlive: true, maxFreeSockets: idleLines, timeout: idleMs },
    }),
    // A request that must not be sent twice goes over a line that nobody is closing meanwhile.
    fresh: new GatewayLines(gateways, { keepAlive: false }),
  };
  const proxy = createProxyServer();
  // Whether a line is kept is a matter of each end of it.
  proxy.on('proxyRes', (answer) => {
    delete answer.headers['connection'];
    delete answer.headers['keep-alive'];
  });
  // Errors are given to each call, so that it can be tried again.
  const pass = (request: IncomingMessage, response: ServerResponse, agent: GatewayLines) =>
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
        proxy.web(request, response, { target }).catch(() => refuse(response));
        return;
      }
      if (request.httpVersion === '1.1' && request.headers.host === undefined) {
        refuse(response, 'malformed_body', 'The request has no Host header.');
        return;
      }
      preparePass(request, response);
      const mayRepeat = repeatable.has(request.method ?? '');
      pass(request, response, mayRepeat ? agents.kept : agents.fresh)
        .catch((error: unknown) => {
          if (!mayRepeat || response.headersSent || response.destroyed) throw error;
          return pass(request, response, agents.fresh);
        })
        .catch((error: unknown) => {
          if (response.destroyed) return;
          options.onTrouble((error as Error).message);
          refuse(response);
        });
    },
  });
  return {
    port: server.port,
    async close() {
      await server.close();
      gateways.stop();
      agents.kept.destroy();
    },
  };
}

function isForCollector({ method, url }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === '/metrics';
}

/** What a gateway is to read of the request that it did not receive itself. */
function preparePass(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  const before = headers['x-forwarded-for'];
  const peer = socket.remoteAddress ?? 'unknown';
  headers['x-forwarded-for'] = before === undefined ? peer : `${String(before)}, ${peer}`;
  // Who asks a proxy names the whole address (RFC 9112, 3.2.2); the gateway is asked for the path.
  const absolute = /^https?:\/\/[^/?]*/i.exec(request.url ?? '');
  if (absolute) request.url = request.url?.slice(absolute[0].length).replace(/^(?!\/)/, '/');
  if (/^100-continue$/i.test(headers.expect ?? '')) {
    delete headers.expect;
    response.writeContinue();
  }
}

/** Answers in the gateway's stead; an answer that has begun is cut. By default: no gateway was reached. */
function refuse(
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
