import { pipeline } from 'node:stream/promises';
import type { Exchange, Reply } from './call';

/** Writes a handler's answer. @throws what a stream throws; the answer is then cut, never ended as if it were whole */
export async function sendReply(exchange: Exchange, reply: Reply): Promise<void> {
  const { request, response, operation } = exchange;
  const status = reply.kind === 'json' ? reply.status : undefined;
  response.status(status ?? operation.successStatus);
  switch (reply.kind) {
    case 'json':
      response.json(reply.body);
      return;
    case 'nothing':
      response.end();
      return;
    case 'stream': {
      for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
      if (request.method === 'HEAD') response.end();
      else await pipeline(reply.content(), response);
    }
  }
}
