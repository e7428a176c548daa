import { AppError } from '@bomtrail/messages';
import type { Request } from 'express';

/** Minimum speed of a request body. */
export interface Pace {
  windowMs: number;
  /** In a window. */
  minBytes: number;
  /** Consecutive slow windows that end the request; a single one may be a pause of this process. */
  slowWindows: number;
}

/** 8 KiB per second: a sixteenth of 1 Mbit/s, which other uploads may share. */
export const usualPace: Pace = { windowMs: 5_000, minBytes: 40 * 1024, slowWindows: 2 };

/**
 * Reads a body unless its client is too slow: a trickle of bytes must not occupy a slot. Time in
 * which the server does not read is not counted.
 *
 * @param read gets a signal that aborts when the client is too slow
 * @throws AppError `request_timeout`; errors of `read`
 */
export async function atPace<Value>(
  request: Pick<Request, 'socket' | 'readableLength' | 'complete'>,
  read: (tooSlow: AbortSignal) => Promise<Value>,
  pace: Pace = usualPace,
): Promise<Value> {
  const tooSlow = new AbortController();
  let received = request.socket.bytesRead;
  let slow = 0;
  const watch = setInterval(() => {
    const waitsForUs = request.complete || request.readableLength > 0;
    const isSlow = request.socket.bytesRead - received < pace.minBytes && !waitsForUs;
    received = request.socket.bytesRead;
    slow = isSlow ? slow + 1 : 0;
    if (slow >= pace.slowWindows) tooSlow.abort(new AppError('request_timeout'));
  }, pace.windowMs);
  try {
    return await Promise.race([read(tooSlow.signal), rejected(tooSlow.signal)]);
  } finally {
    clearInterval(watch);
  }
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
