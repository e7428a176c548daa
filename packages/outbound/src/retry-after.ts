/**
 * The delay that `Retry-After` asks for: seconds or a date (RFC 9110 10.2.3).
 *
 * @param now in ms since 1970
 * @returns milliseconds, not bounded; undefined if it is neither
 */
export function retryAfterMs(value: string, now: number): number | undefined {
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse makes dates of almost anything; an HTTP date ends with its zone (RFC 9110 5.6.7).
  const at = text.endsWith(' GMT') ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
