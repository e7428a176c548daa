import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** What the proxy does with a request: passes it on, answers 503, or holds it; or it has an answer of its own. */
export type Conduct = 'pass' | 'unable' | 'hold' | { status: number; body: string };

/** A proxy in front of the product with faults on request. */
export interface ReverseProxy {
  url: string;
  /** The path of every request, in the order in which they came. */
  seen: string[];
  stop: () => Promise<void>;
}

/**
 * @param target the product's base address
 * @param conduct asked for each request, with how many came before it
 */
export async function openReverseProxy(
  target: string,
  conduct: (before: number) => Conduct,
): Promise<ReverseProxy> {
  const seen: string[] = [];
  const server: Server = createServer((incoming, answer) => {
    const chosen = conduct(seen.length);
    seen.push(incoming.url ?? '');
    if (chosen === 'unable') {
      incoming.resume();
      answer.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' });
      answer.end('{"detail":"Not now.","code":"service_unavailable"}');
    } else if (typeof chosen === 'object') {
      incoming.resume();
      answer.writeHead(chosen.status).end(chosen.body);
    } else if (chosen === 'pass') passOn(target, incoming, answer);
    // What is held is neither read nor answered.
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function passOn(target: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = incoming;
  const onward = request(new URL(incoming.url ?? '/', target), { method, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  incoming.pipe(onward);
}
