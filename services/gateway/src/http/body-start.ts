import { AppError } from '@bomtrail/messages';
import type { Request, Response } from 'express';

/** Whether the headers announce a body. */
export function hasBody(request: Request): boolean {
  const { 'transfer-encoding': transferEncoding, 'content-length': length } = request.headers;
  return transferEncoding !== undefined || (length !== undefined && Number(length) > 0);
}

/**
 * Sends `100 Continue` to clients that expect it, only after the key was accepted, so that rejected
 * uploads need not be sent.
 */
export function startBody(request: Request, response: Response): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/** Takes an eighth of a second at 1 Mbit/s. */
const beginningBytes = 16 * 1024;
/** Time limit. */
export const usualBeginningMs = 10_000;

type Incoming = Pick<
  Request,
  'complete' | 'readableLength' | 'readableHighWaterMark' | 'on' | 'off'
>;

/**
 * Resolves when the first 16 KiB of a body, or all of it, have arrived. Reads nothing. Keeps
 * clients that send next to nothing away from upload slots.
 *
 * @throws AppError `request_timeout` after `withinMs`; the reason of `gone`
 */
export async function untilBodyBegins(
  request: Incoming,
  gone: AbortSignal,
  withinMs: number = usualBeginningMs,
): Promise<void> {
  const enough = Math.min(beginningBytes, request.readableHighWaterMark);
  const hasArrived = (): boolean => request.complete || request.readableLength >= enough;
  gone.throwIfAborted();
  if (hasArrived()) return;
  await new Promise<void>((resolve, reject) => {
    const finish = (outcome: () => void): void => {
      clearTimeout(timer);
      request.off('readable', check);
      gone.removeEventListener('abort', leave);
      outcome();
    };
    const check = (): void => {
      if (hasArrived()) finish(resolve);
    };
    const leave = (): void => finish(() => reject(gone.reason as Error));
    const late = (): void => finish(() => reject(new AppError('request_timeout')));
    const timer = setTimeout(late, withinMs);
    request.on('readable', check);
    gone.addEventListener('abort', leave, { once: true });
  });
}
