import { AppError } from '@bomtrail/messages';
import { currentContext, inContext, usableTraceparent, withContext } from '../log/context';
import type { Span, SpanStart, Tracer } from './span';

/**
 * Does `work` as a part of the trace of the work at hand; just does it where nothing is traced. A
 * rejection fails the span and is handed on.
 */
export function inSpan<Result>(
  start: SpanStart,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const context = currentContext();
  const span = context?.span?.begin(start);
  if (!context || !span) return work(undefined);
  const { traceparent } = span;
  return ended(
    span,
    inContext({ ...context, span, traceparent }, () => work(span)),
  );
}

/**
 * Does `work` in a context of its own: what came with it goes on, and where traces are on it is a
 * part of the trace that it came with.
 *
 * @param from.traceparent of what the work follows from
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
  return span ? ended(span, result) : result;
}

/** Links of one span; more say nothing more. */
const mostLinks = 32;

/**
 * Goes on with work that was stored: as a part of the trace that it began in. Where it follows from
 * several it is a part of the first one's, with links to the others. The request id stays that of the
 * work at hand. Just does it where traces are off, or nothing was stored.
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
      for (const other of others.slice(0, mostLinks)) span?.link(other);
      if (context?.span) span?.link(context.traceparent);
      return work();
    },
  );
}

/** What is to be stored with work that others may go on with: its place in the trace; nothing unless traces are on. */
export function currentTraceparent(): string | undefined {
  return currentContext()?.span?.traceparent;
}

/** What failed, as a span tells it: a code or a name, never a message. */
export function failureType(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

async function ended<Result>(span: Span, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    span.fail(failureType(error));
    throw error;
  } finally {
    span.end();
  }
}
