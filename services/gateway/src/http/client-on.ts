import type { RequestHandler, Response } from 'express';
import { clientAddress } from '../clients/client-address';

/** Finds out where each request comes from, behind so many proxies of our own. */
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

/** The address that `noteClient` found. */
export function clientOn(response: Response): string | null {
  return (response.locals as { client?: string | null }).client ?? null;
}
