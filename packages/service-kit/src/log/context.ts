import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { requestIdForm } from '@bomtrail/messages';
import type { Span } from '../traces/span';

/** What follows one piece of work through all services: on log lines and in message headers. */
export interface WorkContext {
  readonly requestId: string;
  /** W3C Trace Context `traceparent` (version 00); that of `span` where there is one. */
  readonly traceparent: string;
  /** The part of the trace that is at work; absent unless traces are switched on. */
  readonly span?: Span;
}

const storage = new AsyncLocalStorage<WorkContext | undefined>();

const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Runs `work` with a context taken over from a caller; what is missing or malformed is made anew. */
export function withContext<Result>(
  from: {
    requestId?: string | undefined;
    traceparent?: string | undefined;
    /** Begun for this work; its place in the trace takes the place of `traceparent`. */
    span?: Span | undefined;
  },
  work: () => Result,
): Result {
  const { requestId, span } = from;
  const context: WorkContext = {
    requestId:
      requestId && requestIdForm.test(requestId) ? requestId : randomBytes(12).toString('hex'),
    traceparent: span?.traceparent ?? usableTraceparent(from.traceparent) ?? newTraceparent(),
    ...(span ? { span } : {}),
  };
  return storage.run(context, work);
}

/** Runs `work` in a context that was kept, or outside of any. */
export function inContext<Result>(context: WorkContext | undefined, work: () => Result): Result {
  return storage.run(context, work);
}

/** The context of the work at hand; undefined outside of any. */
export function currentContext(): WorkContext | undefined {
  return storage.getStore();
}

/** Undefined in place of what is malformed. */
export function usableTraceparent(traceparent: string | undefined): string | undefined {
  return traceparent && traceparentForm.test(traceparent) ? traceparent : undefined;
}

function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;
}
