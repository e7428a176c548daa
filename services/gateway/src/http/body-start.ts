import { AppError } from '@bomtrail/messages';
import type { Request, Response } from 'express';

/** Did the client send a body, as far as its headers tell? */
export function hasBody(request: Request): boolean {
  const { 'transfer-encoding': transferEncoding, 'content-length': length } = request.headers;
  return transferEncoding !== undefined || (length !== undefined && Number(length) > 0);
}

/**
 * Tells a client that waits for it (`Expect: 100-continue`) to send its body now. Only here, after
 * the key was accepted, so that a refused upload need not be sent at all.
 */
export function startBody(request: Request, response: Response): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/** A line of 1 Mbit/s brings it in an eighth of a second; what does not fit stays with the client. */
const beginningBytes = 16 * 1024;
/** How long it may take at most. */
export const usualBeginningMs = 10_000;

type Incoming = Pick<
  Request,
  'complete' | 'readableLength' | 'readableHighWaterMark' | 'on' | 'off'
>;

/**
 * Resolves when the first 16 KiB of a body are there, or all of it. Nothing is read: the bytes wait in the
 * request. Who opens a line and sends next to nothing is thus kept away from what others wait for.
 *
 * @throws AppError `request_timeout` when that takes longer than `withinMs`; the reason of `gone`
 */
export async function untilBodyBegins(
  request: Incoming,
  gone: AbortSignal,
  withinMs: number = usualBeginningMs,
): Promise<void> {
  const enough = Math.min(beginningBytes, request.readableHighWaterMark);
  const isThere = (): boolean => request.complete || request.readableLength >= enough;
  gone.throwIfAborted();
  if (isThere()) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      request.off('readable', look);
      gone.removeEventListener('abort', leave);
      outcome();
    };
    const look = (): void => {
      if (isThere()) settle(resolve);
    };
    const leave = (): void => settle(() => reject(gone.reason as Error));
    const late = (): void => settle(() => reject(new AppError('request_timeout')));
    const timer = setTimeout(late, withinMs);
    request.on('readable', look);
    gone.addEventListener('abort', leave, { once: true });
  });
}
