import { inContext, type WorkContext } from '../log/context';

/**
 * Does work that serves several at once, such as one write for many uploads, in the context of the
 * first of them. Where traces are on and they are several, it is one span, a part of the first one's
 * trace; it and the spans that it serves are linked both ways.
 */
export function forAllOf<Result>(
  contexts: readonly (WorkContext | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const [lead] = contexts;
  const traced = contexts.length > 1 ? contexts.filter((context) => context?.span) : [];
  const leader = traced.find((one) => isSampled(one)) ?? traced[0];
  const span = leader?.span?.begin({
    name: 'work for several',
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
