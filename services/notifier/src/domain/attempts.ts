/** Retry times in milliseconds (docs/alerts.md "Failed deliveries": retried with back-off). */
export interface AttemptTimes {
  /** Wait after the first failure; doubled with each failure up to `longestMs`. */
  shortestMs: number;
  longestMs: number;
  /** Alerts that waited for so long under continuous failures are given up. */
  giveUpMs: number;
}

export const attemptTimes: AttemptTimes = {
  shortestMs: 1_000,
  longestMs: 15 * 60_000,
  giveUpMs: 24 * 3_600_000,
};

/**
 * Up to this number of consecutive failures a shorter wait requested by the receiver is honoured.
 */
const trustedRetryAfterFailures = 5;
/** Maximum pause that a receiver may request; no wait is longer. */
export const maxRetryAfterMs = 3_600_000;

/**
 * Wait after a failure in milliseconds: the requested pause, at most `maxRetryAfterMs`; after
 * several failures not less than the back-off; without a request a doubling back-off with jitter
 * (half to all of it). Never below `shortestMs`.
 *
 * @param failed `failures`: consecutive, including this one, at least 1; `chance`: from 0 to below
 * 1
 */
export function waitAfter(
  failed: { failures: number; retryAfterMs?: number | undefined; chance: number },
  times: AttemptTimes,
): number {
  const { failures, retryAfterMs, chance } = failed;
  const doubled = times.shortestMs * 2 ** Math.min(failures, 40);
  const backOff = Math.min(times.longestMs, doubled) * (0.5 + chance / 2);
  const requested = Math.min(retryAfterMs ?? backOff, maxRetryAfterMs);
  const wait = failures > trustedRetryAfterFailures ? Math.max(requested, backOff) : requested;
  return Math.max(times.shortestMs, Math.ceil(wait));
}

/**
 * Whether to give up an alert period after another failure: attempts must have failed for
 * `giveUpMs`, and the period must be at least as old.
 */
export function isGivenUp(
  tried: { failingSince: Date; periodStart: Date; now: Date },
  times: AttemptTimes,
): boolean {
  const since = Math.max(tried.failingSince.getTime(), tried.periodStart.getTime());
  return tried.now.getTime() - since >= times.giveUpMs;
}
