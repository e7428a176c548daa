import { AppError } from '@bomtrail/messages';
import type { RequestHandler } from 'express';

/**
 * Requires the Host header of HTTP/1.1 (RFC 9112, 3.2). Node.js would reject it too, but not in the
 * contract's error shape.
 */
export const requiredHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new AppError('malformed_body', 'The request has no Host header.');
  }
  next();
};
