import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Long enough for a client that is still sending to read the response; then the connection is
 * closed.
 */
const patienceMs = 10_000;

/**
 * A response may be sent before the request's body has arrived (401, 413). Closing at once would
 * lose it for a client that is still sending, so the rest is discarded for a while.
 */
export function boundLeftoverBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    request.unpipe();
    request.resume();
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, patienceMs).unref();
  });
}
