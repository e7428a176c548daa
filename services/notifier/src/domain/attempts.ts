/** The times of attempts, in milliseconds (docs/alerts.md "Failed deliveries": retried with back-off). */
export interface AttemptTimes {
  /** Between the first two attempts; doubled with each failure, until `longestMs`. */
  shortestMs: number;
  longestMs: number;
  /** After so long a row of failures what waited that long is given up. */
  giveUpMs: number;
}

export const attemptTimes: AttemptTimes = {
  shortestMs: 1_000,
  longestMs: 15 * 60_000,
  giveUpMs: 24 * 3_600_000,
};

/** Failures in a row up to which a receiver that asks for a shorter wait is believed. */
const trustedRetryAfterFailures = 5;
/** As long as a receiver may ask to be left alone; no wait is longer. */
export const maxRetryAfterMs = 3_600_000;

/**
 * How long to wait after a failure, in milliseconds: as long as the receiver asked for, at most `maxRetryAfterMs`, and once
 * that led nowhere several times not less than the back-off; else a
 * doubling back-off of which between half and all is waited, so that many rules do not come back together. Never below
 * `shortestMs`.
 *
 * @param failed `failures`: in a row, this one included, at least 1; `chance`: from 0 to below 1
 */
export function waitAfter(
  failed: { failures: number; retryAfterMs?: number | undefined; chance: number },
  times: AttemptTimes,
): number {
  const { failures, retryAfterMs, chance } = failed;
  const doubled = times.shortestMs * 2 ** Math.min(failures, 40);
  const backOff = Math.min(times.longestMs, doubled) * (0.5 + chance / 2);
  const query = Math.min(retryAfterMs ?? backOff, maxRetryAfterMs);
  const wait = failures > trustedRetryAfterFailures ? Math.max(query, backOff) : query;
  return Math.max(times.shortestMs, Math.ceil(wait));
}

/**
 * Is an episode given up after one more failure? Attempts must have failed for `giveUpMs`, and it must have been there
 * for as long: what appeared meanwhile is still tried.
 */
export function isGivenUp(
  tried: { failingSince: Date; periodStart: Date; now: Date },
  times: AttemptTimes,
): boolean {
  const since = Math.max(tried.failingSince.getTime(), tried.periodStart.getTime());
  return tried.now.getTime() - since >= times.giveUpMs;
}
