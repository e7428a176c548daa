import { retryAfterMs } from '@bomtrail/outbound';

/** Longer requests are capped: a garbled response must not let a feed become stale. */
const longestMs = 60 * 60 * 1000;

/** How long a server asks to wait before the next request, in ms; 0 if it does not. Honoured for 429 and 503. */
export function requestedPauseMs({ status, headers }: Response, now: number): number {
  const value = status === 429 || status === 503 ? headers.get('retry-after') : null;
  return Math.min((value !== null && retryAfterMs(value, now)) || 0, longestMs);
}
