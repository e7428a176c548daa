import { AppError } from '@bomtrail/messages';
import { currentContext, inContext, usableTraceparent, withContext } from '../log/context';
import type { Span, SpanStart, Tracer } from './span';

/** Runs `work` in a child span of the current span, if there is one. A rejection marks the span as failed. */
export function inSpan<Result>(
  start: SpanStart,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const context = currentContext();
  const span = context?.span?.begin(start);
  if (!context || !span) return work(undefined);
  const { traceparent } = span;
  return endWith(
    span,
    inContext({ ...context, span, traceparent }, () => work(span)),
  );
}

/**
 * Runs `work` in a new context with the request id and trace of its origin, inside a span if tracing is enabled.
 *
 * @param from.traceparent trace context of the origin
 */
export function inNewContext<Result>(
  tracer: Tracer | undefined,
  from: {
    requestId?: string | undefined;
    traceparent?: string | undefined;
    start: () => SpanStart;
  },
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const { requestId, traceparent } = from;
  const span = tracer?.begin(from.start(), traceparent);
  const result = withContext({ requestId, traceparent, span }, () => work(span));
  return span ? endWith(span, result) : result;
}

/** Maximum links of one span. */
const maxLinks = 32;

/**
 * Runs `work` in the trace in which it was stored. With several traces it joins the first and links to the others.
 * The request id stays the current one. Without tracing or stored traces it only runs `work`.
 */
export function resumed<Result>(
  from: { tracer: Tracer | undefined; traceparents: readonly (string | undefined)[] },
  start: SpanStart,
  work: () => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = new Set(
    from.traceparents.flatMap((one) => usableTraceparent(one) ?? []),
  );
  if (!from.tracer || !first) return work();
  const context = currentContext();
  const { requestId } = context ?? {};
  return inNewContext(
    from.tracer,
    { requestId, traceparent: first, start: () => start },
    (span) => {
      for (const other of others.slice(0, maxLinks)) span?.link(other);
      if (context?.span) span?.link(context.traceparent);
      return work();
    },
  );
}

/** Returns the trace context to store with pending work; undefined unless tracing is enabled. */
export function currentTraceparent(): string | undefined {
  return currentContext()?.span?.traceparent;
}

/** Returns the error code or class name for a span, never the message. */
export function failureType(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

async function endWith<Result>(span: Span, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    span.fail(failureType(error));
    throw error;
  } finally {
    span.end();
  }
}
