import { currentContext, withContext } from '@bomtrail/service-kit';
import type { RequestHandler } from 'express';

/**
 * Gives every request its id: the client's own `X-Request-Id` when that is usable, else a new one
 * (decisions.md "Bodies that are not shown"). It is on the response, on every log line and on every
 * message that follows from the request.
 */
export const requestContext: RequestHandler = (request, response, next) => {
  const { 'x-request-id': requestId, traceparent } = request.headers;
  const from = { requestId: single(requestId), traceparent: single(traceparent) };
  withContext(from, () => {
    response.setHeader('X-Request-Id', currentContext()?.requestId ?? '');
    next();
  });
};

/** A header that is sent twice is no usable one. */
function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header;
}
