import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { Exchange, Reply } from './call';

/**
 * Sends a reply. @throws errors of its stream; the response is then aborted, not ended as if
 * complete
 */
export async function sendReply(exchange: Exchange, reply: Reply): Promise<void> {
  const { request, response } = exchange;
  response.status(statusOf(exchange, reply));
  switch (reply.kind) {
    case 'json':
      // Without an entity tag, Express would take `*` for a match.
      delete request.headers['if-none-match'];
      for (const text of reply.warnings ?? []) response.append('Warning', `299 - "${text}"`);
      response.json(reply.body);
      return;
    case 'nothing':
      response.end();
      return;
    case 'stream': {
      // Another warning may be there: of ignored parameters.
      for (const [name, value] of Object.entries(reply.headers))
        if (name === 'Warning') response.append(name, value);
        else response.setHeader(name, value);
      // Ignores `no-cache`, which addresses caches and which every `fetch` sends with
      // `If-None-Match`.
      delete request.headers['cache-control'];
      if (reply.headers['ETag'] !== undefined && request.fresh) sendUnchanged(response);
      else if (request.method === 'HEAD') response.end();
      else await pipeline(reply.content(), response);
    }
  }
}

/** The status of a reply; default: the contract's success status. */
export function statusOf({ operation }: Exchange, reply: Reply): number {
  return (reply.kind === 'json' ? reply.status : undefined) ?? operation.successStatus;
}

/** 304 (RFC 9110, 15.4.5), with the headers that update the client's copy. */
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
