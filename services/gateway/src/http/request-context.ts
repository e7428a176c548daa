import { currentContext, withContext, type Span, type Tracer } from '@bomtrail/service-kit';
import type { RequestHandler, Response } from 'express';
import type { Metrics } from '../metrics';

export interface RequestContextDeps {
  tracer: Tracer | undefined;
  metrics: Pick<Metrics, 'requests'>;
}

/** Of a request that is no operation of the contract, or was refused before that was known. */
const otherOperation = 'other';

/**
 * Gives every request its id: the client's own `X-Request-Id` when that is usable, else a new one
 * (docs/rules.md H3). It is on the response, on every log line and on every
 * message that follows from the request. Where traces are on, the request is a span: of the caller's
 * trace, if it has one. Its time is measured until the answer is out or the client gone.
 */
export function requestContext({ tracer, metrics }: RequestContextDeps): RequestHandler {
  return (request, response, next) => {
    const from = {
      requestId: single(request.headers['x-request-id']),
      traceparent: single(request.headers['traceparent']),
    };
    const { method } = request;
    const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
    const span = tracer?.begin({ name: method, kind: 'server', attributes }, from.traceparent);
    const began = performance.now();
    response.once('close', () => {
      const operation = operationOn(response) ?? otherOperation;
      const status = response.headersSent ? String(response.statusCode) : 'none';
      metrics.requests.observe({ operation, status }, (performance.now() - began) / 1000);
      if (span) endSpan(span, { method, response, operation });
    });
    withContext({ ...from, span }, () => {
      response.setHeader('X-Request-Id', currentContext()?.requestId ?? '');
      next();
    });
  };
}

/** Notes which operation of the contract a request is. */
export function noteOperation(response: Response, operationId: string): void {
  response.locals['operation'] = operationId;
}

function operationOn(response: Response): string | undefined {
  return response.locals['operation'] as string | undefined;
}

function endSpan(
  span: Span,
  { method, response, operation }: { method: string; response: Response; operation: string },
): void {
  span.rename(`${method} ${operation}`);
  span.note({
    'bomtrail.operation': operation,
    ...(response.headersSent ? { 'http.response.status_code': response.statusCode } : {}),
  });
  if (response.headersSent && response.statusCode >= 500) span.fail(String(response.statusCode));
  span.end();
}

/** A header that is sent twice is no usable one. */
function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header;
}
