import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { Exchange, Reply } from './call';

/** Writes a handler's answer. @throws what a stream throws; the answer is then cut, never ended as if it were whole */
export async function sendReply(exchange: Exchange, reply: Reply): Promise<void> {
  const { request, response } = exchange;
  response.status(statusOf(exchange, reply));
  switch (reply.kind) {
    case 'json':
      // It has no entity tag, and Express would take `*` for a match.
      delete request.headers['if-none-match'];
      response.json(reply.body);
      return;
    case 'nothing':
      response.end();
      return;
    case 'stream': {
      for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
      // `no-cache` speaks to caches on the way; every `fetch` sends it beside an `If-None-Match`.
      delete request.headers['cache-control'];
      if (reply.headers['ETag'] !== undefined && request.fresh) sendUnchanged(response);
      else if (request.method === 'HEAD') response.end();
      else await pipeline(reply.content(), response);
    }
  }
}

/** The contract's success status, unless the handler says another. */
export function statusOf({ operation }: Exchange, reply: Reply): number {
  return (reply.kind === 'json' ? reply.status : undefined) ?? operation.successStatus;
}

/** The client has it already (RFC 9110, 15.4.5): only what it may have to update its copy with. */
function sendUnchanged(response: Response): void {
  for (const name of [
    'Content-Type',
    'Content-Length',
    'Content-Encoding',
    'Content-Disposition',
  ]) {
    response.removeHeader(name);
  }
  response.status(304).end();
}
