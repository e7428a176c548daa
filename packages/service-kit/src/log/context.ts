import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** What follows one piece of work through all services: on log lines and in message headers. */
export interface WorkContext {
  readonly requestId: string;
  /** W3C Trace Context `traceparent` (version 00). */
  readonly traceparent: string;
}

const storage = new AsyncLocalStorage<WorkContext>();

const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const requestIdForm = /^[A-Za-z0-9._:-]{1,128}$/;

/** Runs `work` with a context taken over from a caller; what is missing or malformed is made anew. */
export function withContext<Result>(
  from: { requestId?: string | undefined; traceparent?: string | undefined },
  work: () => Result,
): Result {
  const { requestId, traceparent } = from;
  const context: WorkContext = {
    requestId:
      requestId && requestIdForm.test(requestId) ? requestId : randomBytes(12).toString('hex'),
    traceparent: traceparent && traceparentForm.test(traceparent) ? traceparent : newTraceparent(),
  };
  return storage.run(context, work);
}

/** The context of the work at hand; undefined outside of any. */
export function currentContext(): WorkContext | undefined {
  return storage.getStore();
}

function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;
}
