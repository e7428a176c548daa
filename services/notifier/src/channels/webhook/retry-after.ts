/** An answer may ask for more; a garbled or hostile one must not silence a rule for good. */
const longestMs = 60 * 60 * 1000;

/**
 * How long a receiver asks to be left alone, in milliseconds, at most an hour; undefined: it does not
 * say. `Retry-After` is seconds or a date (RFC 9110 10.2.3); Discord says it in `X-RateLimit-Reset-After`
 * and in the JSON field `retry_after`, too, in seconds with decimals (docs.discord.com, "Rate Limits").
 * Where they differ the longest counts.
 */
export function retryAfterMs(
  answer: { headers: Readonly<Record<string, string | string[] | undefined>>; body: string },
  now: Date,
): number | undefined {
  const said = [
    ofHeader(answer.headers['retry-after'], now),
    seconds(answer.headers['x-ratelimit-reset-after']),
    ofJson(answer.body),
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
