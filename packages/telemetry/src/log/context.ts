import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { requestIdForm } from '@bomtrail/messages';
import type { Span } from '../traces/span';

/** Context of a piece of work, passed through all services: in logs and message headers. */
export interface WorkContext {
  readonly requestId: string;
  /** W3C Trace Context `traceparent` (version 00); that of `span` where there is one. */
  readonly traceparent: string;
  /** The current span; absent unless tracing is enabled. */
  readonly span?: Span;
}

const storage = new AsyncLocalStorage<WorkContext | undefined>();

const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Runs `work` in the context of a caller; missing or malformed values are generated. */
export function withContext<Result>(
  from: {
    requestId?: string | undefined;
    traceparent?: string | undefined;
    /** Span of this work; replaces `traceparent`. */
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

/** Runs `work` in a saved context, or without one. */
export function inContext<Result>(context: WorkContext | undefined, work: () => Result): Result {
  return storage.run(context, work);
}

/** Returns the current context; undefined outside of one. */
export function currentContext(): WorkContext | undefined {
  return storage.getStore();
}

/** Returns a well-formed traceparent unchanged, otherwise undefined. */
export function usableTraceparent(traceparent: string | undefined): string | undefined {
  return traceparent && traceparentForm.test(traceparent) ? traceparent : undefined;
}

function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;
}
