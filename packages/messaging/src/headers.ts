import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { currentContext } from '@bomtrail/telemetry';
import { inNewContext } from '@bomtrail/telemetry';
import type { Span, SpanStart, Tracer } from '@bomtrail/telemetry';

const requestIdHeader = 'X-Request-Id';
const traceparentHeader = 'traceparent';
export const errorHeader = 'Bomtrail-Error';
/** On a request: the caller supports heartbeats. On a reply: it is a heartbeat, not the response. */
export const heartbeatHeader = 'Bomtrail-Heartbeat';

/** On the cancel subject: the inbox of the request whose response is no longer wanted. */
const cancelledHeader = 'Bomtrail-Cancelled';

/** Headers of a message that cancels the request with this inbox. */
export function cancelled(inbox: string): MsgHdrs {
  const outgoing = headers();
  outgoing.set(cancelledHeader, inbox);
  return outgoing;
}

/** The inbox of the request that a message cancels. */
export function cancelledInbox(incoming: MsgHdrs | undefined): string | undefined {
  return incoming?.get(cancelledHeader) || undefined;
}

/** Headers of an outgoing message: request id and trace context of the current work. */
export function outgoingHeaders(): MsgHdrs {
  const outgoing = headers();
  const context = currentContext();
  if (context) {
    outgoing.set(requestIdHeader, context.requestId);
    outgoing.set(traceparentHeader, context.traceparent);
  }
  return outgoing;
}

/** Runs a handler in the context of its message, inside its trace if tracing is enabled. */
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
