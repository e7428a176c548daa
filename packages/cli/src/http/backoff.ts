const firstMs = 500;
const longestMs = 10_000;

/**
 * How long to wait before the next attempt: doubled each time, of which the upper half is left to
 * chance, so that a fleet of jobs that failed at once does not come back at once. Never less than the
 * server asks for.
 *
 * @param attempt how many attempts there were, from 1
 * @param serverDelayMs what `Retry-After` asks for; 0 when it asks for nothing
 * @param random from 0 to below 1
 * @returns milliseconds
 */
export function backoffMs(attempt: number, serverDelayMs: number, random: number): number {
  const bound = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  const own = bound / 2 + (bound / 2) * random;
  return serverDelayMs > 0 ? Math.max(own, serverDelayMs + firstMs * random) : own;
}

/** Reads `Retry-After`: seconds or a date (RFC 9110, 10.2.3). 0 where there is none or it is unreadable. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  if (/^\d{1,7}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
