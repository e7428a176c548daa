import { constants, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { Server } from '@grpc/grpc-js';

/** A GOAWAY that names it ends no call. */
const highestStream = 2 ** 31 - 1;
/** How often is looked whether a client that does not read has been sent it at last. */
const lookMs = 100;

/**
 * Makes the connections of a server close in two steps, because Node frees memory too early when it closes one in a
 * single step (nodejs/node#64113; Node 20 has no fix). A call that arrives while the closing GOAWAY still waits to be
 * sent is refused from within the parser, which sends the GOAWAY; that ends all calls above the last one that it
 * names, also the very call that the parser is at. Any client reaches this: it sends a GOAWAY of its own and a call
 * in one write.
 *
 * @param server after its injector was made
 */
export function closeGently(server: Server): void {
  for (const one of http2ServersOf(server)) one.on('session', closeInSteps);
}

/** First a GOAWAY that ends no call, and once it is out, after which the parser skips new calls, the usual close. */
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
      else setTimeout(closeOnceSent, lookMs).unref();
    };
    // Never within the parser.
    setImmediate(closeOnceSent);
  };
}

/** The library keeps them in a private field, and tells nobody of new sessions. */
function http2ServersOf(server: Server): Iterable<Http2Server> {
  const { http2Servers } = server as unknown as { http2Servers?: Map<Http2Server, unknown> };
  if (!http2Servers?.size) throw new Error('The gRPC library has no HTTP/2 server any more.');
  return http2Servers.keys();
}
