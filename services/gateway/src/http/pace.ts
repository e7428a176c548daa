import { AppError } from '@bomtrail/messages';
import type { Request } from 'express';

/** How fast a client must send its body. */
export interface Pace {
  windowMs: number;
  /** In a window. */
  minBytes: number;
  /** So many slow windows in a row are too many: one alone may be a pause of this process. */
  slowWindows: number;
}

/** 8 KiB a second: a sixteenth of a line of 1 Mbit/s, of which other uploads may have the rest. */
export const usualPace: Pace = { windowMs: 5_000, minBytes: 40 * 1024, slowWindows: 2 };

/**
 * Reads a body unless its client is too slow: one that sends a byte a second must not hold a place
 * that others wait for. Time in which we do not read is not counted against the client.
 *
 * @param read is told by the signal when to give up
 * @throws AppError `request_timeout`; what `read` throws
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
