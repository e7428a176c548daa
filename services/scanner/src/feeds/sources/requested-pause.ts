/** Longer requests are capped: a garbled response must not let a feed become stale. */
const longestMs = 60 * 60 * 1000;

/**
 * How long a server asks to wait before the next request, in ms; 0 if it does not. `Retry-After` is
 * in seconds or a date (RFC 9110 10.2.3) and counts for 429 and 503.
 */
export function requestedPauseMs({ status, headers }: Response, now: number): number {
  const value = status === 429 || status === 503 ? headers.get('retry-after')?.trim() : undefined;
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Math.min(Number(value) * 1000, longestMs);
  // `Date.parse` makes dates of almost anything; an HTTP date ends with its zone.
  const ms = value.endsWith(' GMT') ? Date.parse(value) - now : 0;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), longestMs);
}
