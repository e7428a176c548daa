import { currentContext, withContext, type Span, type Tracer } from '@bomtrail/telemetry';
import type { RequestHandler, Response } from 'express';
import type { Metrics } from '../metrics';

export interface RequestContextDeps {
  tracer: Tracer | undefined;
  metrics: Pick<Metrics, 'requests'>;
}

/** Name of requests outside of operations, or rejected before the operation was known. */
const otherOperation = 'other';

/**
 * Sets the request id: the client's `X-Request-Id` if valid, else a new one (docs/rules.md H3). It
 * is in the response, in log lines and in messages of the request. If tracing is on, the request is
 * a span of the caller's trace. Measures the time until the response is sent or the client has
 * disconnected.
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

/** Sets the operation of a request, for metrics. */
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

/** Repeated headers are ignored. */
function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header;
}
