import { inContext, type WorkContext } from '../log/context';

/**
 * Runs work done for several contexts at once, such as one write for many uploads, in the first context. With
 * tracing and several contexts it gets a span in the trace of the first, linked with the spans of all others.
 */
export function inSharedSpan<Result>(
  contexts: readonly (WorkContext | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const [lead] = contexts;
  const traced = contexts.length > 1 ? contexts.filter((context) => context?.span) : [];
  const leader = traced.find((one) => isSampled(one)) ?? traced[0];
  const span = leader?.span?.begin({
    name: 'batch',
    attributes: { 'bomtrail.served': contexts.length },
  });
  if (!leader || !span) return inContext(lead, work);
  const { traceparent } = span;
  for (const one of traced) {
    if (one !== leader && one) span.link(one.traceparent);
    one?.span?.link(traceparent);
  }
  return inContext({ ...leader, span, traceparent }, work).finally(() => span.end());
}

function isSampled(context: WorkContext | undefined): boolean {
  return context?.traceparent.endsWith('1') ?? false;
}
