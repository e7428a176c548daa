import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { currentContext } from '../log/context';
import { inNewContext } from '../traces/in-span';
import type { Span, SpanStart, Tracer } from '../traces/span';

const requestIdHeader = 'X-Request-Id';
const traceparentHeader = 'traceparent';
export const errorHeader = 'Bomtrail-Error';
/** On a question: the caller understands signs of life. On an answer: this is one, not the answer. */
export const patientHeader = 'Bomtrail-Patient';

/** Headers of an outgoing message: the request id and trace of the work at hand. */
export function outgoingHeaders(): MsgHdrs {
  const outgoing = headers();
  const context = currentContext();
  if (context) {
    outgoing.set(requestIdHeader, context.requestId);
    outgoing.set(traceparentHeader, context.traceparent);
  }
  return outgoing;
}

/** Runs a handler in the context that its message came with; where traces are on, as a part of its trace. */
export function inContextOf<Result>(
  incoming: MsgHdrs | undefined,
  { tracer, start }: { tracer: Tracer | undefined; start: () => SpanStart },
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const from = {
    requestId: incoming?.get(requestIdHeader) || undefined,
    traceparent: incoming?.get(traceparentHeader) || undefined,
    start,
  };
  return inNewContext(tracer, from, work);
}
