import { AppError } from '@bomtrail/messages';
import type { ServerReadableStream } from '@grpc/grpc-js';

/** The call ended early: cancelled, deadline exceeded, or disconnected. */
export class CallEnded extends Error {
  constructor() {
    super('The call ended before its response.');
    this.name = 'CallEnded';
  }
}

/**
 * Time for the largest message at half a MiB per second. Progress is not visible before a message
 * is complete, so only this limit detects a client that sends nothing.
 */
const receiveTimeoutMs = 120_000;

type Ending = Pick<ServerReadableStream<unknown, unknown>, 'on' | 'cancelled'>;

/** A signal that aborts with `CallEnded` when the call ends. */
export function endOf(call: Ending): AbortSignal {
  const ended = new AbortController();
  const end = (): void => ended.abort(new CallEnded());
  if (call.cancelled) end();
  else call.on('cancelled', end);
  return ended.signal;
}

/**
 * Runs `work` with a time limit.
 *
 * @param work gets a signal that aborts at the limit
 * @throws AppError `request_timeout`; errors of `work`
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
