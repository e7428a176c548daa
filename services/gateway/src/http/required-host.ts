import { AppError } from '@bomtrail/messages';
import type { RequestHandler } from 'express';

/**
 * A request of HTTP/1.1 must have a Host (RFC 9112, 3.2). Node.js would see to it, but with an answer
 * that is not in the contract's shape.
 */
export const requiredHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new AppError('malformed_body', 'The request lacks the header Host.');
  }
  next();
};
