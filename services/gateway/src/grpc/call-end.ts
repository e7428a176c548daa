import { AppError } from '@bomtrail/messages';
import type { ServerReadableStream } from '@grpc/grpc-js';

/** Nobody waits for the answer any more: the client cancelled, its deadline passed, or its line broke. */
export class CallEnded extends Error {
  constructor() {
    super('The call has ended before its answer.');
    this.name = 'CallEnded';
  }
}

/**
 * The largest message comes in this time at half a MiB a second. How much of it is in cannot be seen before
 * it is whole, so a client that sends nothing is found out by nothing else.
 */
const receiveTimeoutMs = 120_000;

type Ending = Pick<ServerReadableStream<unknown, unknown>, 'on' | 'cancelled'>;

/** Aborts with `CallEnded` when the call ends, however it does. */
export function endOf(call: Ending): AbortSignal {
  const ended = new AbortController();
  const end = (): void => ended.abort(new CallEnded());
  if (call.cancelled) end();
  else call.on('cancelled', end);
  return ended.signal;
}

/**
 * Does `work` unless it takes too long.
 *
 * @param work is told by the signal when to give up
 * @throws AppError `request_timeout`; what `work` throws
 */
export async function withReceiveLimit<Value>(
  ended: AbortSignal,
  work: (ended: AbortSignal) => Promise<Value>,
  limitMs: number = receiveTimeoutMs,
): Promise<Value> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new AppError('request_timeout')), limitMs);
  try {
    return await work(AbortSignal.any([ended, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
