const firstMs = 500;
const longestMs = 10_000;

/**
 * Returns the delay before the next attempt: exponential, with jitter on the upper half, at least `Retry-After`. Whether
 * there is time for it is asked without jitter: a rate limit asks for up to the minute that is the default of `--retry-for`.
 *
 * @param attempt number of attempts so far, from 1
 * @param serverDelayMs delay of `Retry-After`; 0 without one
 * @param random from 0 to below 1
 * @returns milliseconds
 */
export function backoffMs(attempt: number, serverDelayMs: number, random: number): number {
  const bound = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  const own = bound / 2 + (bound / 2) * random;
  return serverDelayMs > 0 ? Math.max(own, serverDelayMs + firstMs * random) : own;
}

/** Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3). Returns milliseconds; 0 if missing or invalid. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  if (/^\d{1,7}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
