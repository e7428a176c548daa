import type { Request, Response } from 'express';

/** Did the client send a body, as far as its headers tell? */
export function hasBody(request: Request): boolean {
  const { 'transfer-encoding': transferEncoding, 'content-length': length } = request.headers;
  return transferEncoding !== undefined || (length !== undefined && Number(length) > 0);
}

/**
 * Tells a client that waits for it (`Expect: 100-continue`) to send its body now. Only here, after
 * the key was accepted, so that a refused upload need not be sent at all.
 */
export function startBody(request: Request, response: Response): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}
