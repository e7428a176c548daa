import { retryAfterMs } from '@bomtrail/outbound';

/** Longer requests are capped: a garbled or hostile response must not silence a rule. */
const longestMs = 60 * 60 * 1000;

/** The relevant parts of an error response. */
export interface HttpError {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/**
 * Pause requested by a receiver in milliseconds, at most an hour; undefined if none. `Retry-After`
 * is also read with decimals and is honoured for 429 and 503. Discord also uses
 * `X-RateLimit-Reset-After` and the JSON field `retry_after`, in seconds with decimals, honoured
 * for 429 only, because the header comes with every response, even of a deleted webhook
 * (docs.discord.com, "Rate Limits"). The longest one counts.
 */
export function requestedPauseMs(
  { status, headers, body }: HttpError,
  now: Date,
): number | undefined {
  const limited = status === 429;
  const said = [
    limited || status === 503 ? ofHeader(headers['retry-after'], now) : undefined,
    ...(limited ? [seconds(headers['x-ratelimit-reset-after']), ofJson(body)] : []),
  ].filter((ms) => ms !== undefined);
  return said.length === 0 ? undefined : Math.min(Math.max(...said), longestMs);
}

function ofHeader(value: string | string[] | undefined, now: Date): number | undefined {
  return (
    seconds(value) ?? (typeof value === 'string' ? retryAfterMs(value, now.getTime()) : undefined)
  );
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
