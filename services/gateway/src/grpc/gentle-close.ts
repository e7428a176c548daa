import { constants, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { Server } from '@grpc/grpc-js';

/** A GOAWAY with the highest possible stream id ends no call. */
const highestStream = 2 ** 31 - 1;
/** Poll interval until the GOAWAY has been sent to a client that reads slowly. */
const pollMs = 100;

/**
 * Closes the connections of a server in two steps, because Node.js frees memory too early when it closes one in a
 * single step (nodejs/node#64113; not fixed in Node.js 20). If a call arrives while the closing GOAWAY is queued, Node.js
 * rejects the call inside the parser and sends the GOAWAY there; that frees every later call, including the one that
 * is being parsed. Any client can trigger this by sending a GOAWAY and a call in one write.
 *
 * @param server its connection injector must exist already
 */
export function closeGently(server: Server): void {
  for (const one of http2ServersOf(server)) one.on('session', closeInSteps);
}

/** Sends a GOAWAY that ends no call, then closes as usual: once it is sent, the parser skips new calls. */
function closeInSteps(session: ServerHttp2Session): void {
  const close = session.close.bind(session);
  let closing = false;
  session.close = (closed) => {
    if (session.destroyed) return;
    if (closed) session.once('close', closed);
    if (closing) return;
    closing = true;
    session.goaway(constants.NGHTTP2_NO_ERROR, highestStream);
    const closeOnceSent = (): void => {
      if (session.destroyed) return;
      if (session.state.outboundQueueSize === 0) close();
      else setTimeout(closeOnceSent, pollMs).unref();
    };
    // The caller may be inside the parser.
    setImmediate(closeOnceSent);
  };
}

/** The library stores its HTTP/2 servers in a private field and emits no event for new sessions. */
function http2ServersOf(server: Server): Iterable<Http2Server> {
  const { http2Servers } = server as unknown as { http2Servers?: Map<Http2Server, unknown> };
  if (!http2Servers?.size) throw new Error('The gRPC library has no HTTP/2 server any more.');
  return http2Servers.keys();
}
