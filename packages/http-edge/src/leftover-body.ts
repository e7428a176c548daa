import type { IncomingMessage, ServerResponse } from 'node:http';

/** Long enough for a client that still sends to see the answer; after that the line is cut. */
const patienceMs = 10_000;

/**
 * An answer may be out before the request's body is in (401, 413). Cutting the line at once would
 * lose the answer for a client that is still sending, so the rest is thrown away for a while.
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
