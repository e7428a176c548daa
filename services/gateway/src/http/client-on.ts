import type { RequestHandler, Response } from 'express';
import { clientAddress } from '../shared/client-address';

/** Determines the client address of each request behind this number of trusted proxies. */
export function noteClient(hops: number): RequestHandler {
  return ({ socket, headers }, response, next) => {
    const forwarded = headers['x-forwarded-for'];
    response.locals.client = clientAddress(
      {
        socket: socket.remoteAddress ?? null,
        forwarded: Array.isArray(forwarded) ? forwarded.join() : forwarded,
      },
      hops,
    );
    next();
  };
}

/** The client address set by `noteClient`. */
export function clientOn(response: Response): string | null {
  return (response.locals as { client?: string | null }).client ?? null;
}
