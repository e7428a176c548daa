/** An answer may ask for more; a garbled or hostile one must not silence a rule for good. */
const longestMs = 60 * 60 * 1000;

/** What is read of an answer that is no success. */
export interface HttpError {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/**
 * How long a receiver asks to be left alone, in milliseconds, at most an hour; undefined: it does not
 * say. `Retry-After` is seconds or a date (RFC 9110 10.2.3) and is asked for with 429 and 503. Discord says it
 * in `X-RateLimit-Reset-After` and in the JSON field `retry_after`, too, in seconds with decimals; both mean it
 * with 429 only: the header comes with every answer, also with that of a webhook that is gone
 * (docs.discord.com, "Rate Limits"). Where they differ the longest counts.
 */
export function retryAfterMs({ status, headers, body }: HttpError, now: Date): number | undefined {
  const limited = status === 429;
  const said = [
    limited || status === 503 ? ofHeader(headers['retry-after'], now) : undefined,
    ...(limited ? [seconds(headers['x-ratelimit-reset-after']), ofJson(body)] : []),
  ].filter((ms) => ms !== undefined);
  return said.length === 0 ? undefined : Math.min(Math.max(...said), longestMs);
}

function ofHeader(value: string | string[] | undefined, now: Date): number | undefined {
  const asSeconds = seconds(value);
  if (asSeconds !== undefined || typeof value !== 'string') return asSeconds;
  // Date.parse makes dates of almost anything; an HTTP date ends with its zone (RFC 9110 5.6.7).
  const at = / GMT$/.test(value.trim()) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

function seconds(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\s*\d{1,9}(\.\d{1,9})?\s*$/.test(value)) return undefined;
  return Math.ceil(Number(value) * 1000);
}

function ofJson(body: string): number | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const said = (parsed as { retry_after?: unknown } | null)?.retry_after;
    return typeof said === 'number' && said >= 0 ? Math.ceil(said * 1000) : undefined;
  } catch {
    return undefined;
  }
}
