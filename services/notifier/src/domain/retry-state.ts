import type { AlertCounts, Severity } from '@bomtrail/messages';
import { isGivenUp, maxRetryAfterMs, waitAfter, type AttemptTimes } from './attempts';

/** Why something new to a rule is not told, and when that is tried again. */
export interface RetryState {
  /** Since when something new waits. */
  undelivered_since: Date;
  /** Since when each attempt failed; null: none was made, because the channel is not configured or the rule was changed. */
  failing_since: Date | null;
  /** Attempts that failed since then. */
  failures: number;
  /** Null: at the next check. */
  next_attempt_at: Date | null;
}

/** What follows from an attempt that failed. */
export interface FailedAttempt<AlertPeriod> {
  givenUp: AlertPeriod[];
  /** Still new to the rule. */
  kept: AlertPeriod[];
  /** Null: nothing is left that is tried again. */
  retry_state: RetryState | null;
  waitMs: number;
}

/**
 * Decides when a rule is tried again after a failure, and what is given up.
 *
 * @param attempt `alertPeriods`: what the message told of, at least one
 */
export function afterFailure<AlertPeriod extends { periodStart: Date }>(
  attempt: {
    before: RetryState | undefined;
    alertPeriods: readonly AlertPeriod[];
    now: Date;
    retryAfterMs?: number | undefined;
    chance: number;
  },
  times: AttemptTimes,
): FailedAttempt<AlertPeriod> {
  const { before, alertPeriods, now } = attempt;
  const row = before && !wasInterrupted(before, now) ? before : undefined;
  const failingSince = row?.failing_since ?? now;
  const failures = (row?.failures ?? 0) + 1;
  const waitMs = waitAfter({ ...attempt, failures }, times);
  const isHopeless = (periodStart: Date) => isGivenUp({ failingSince, periodStart, now }, times);
  const kept = alertPeriods.filter(({ periodStart }) => !isHopeless(periodStart));
  const retry_state = {
    undelivered_since: waitingSince(before, kept, now),
    failing_since: failingSince,
    failures,
    next_attempt_at: new Date(now.getTime() + waitMs),
  };
  return {
    givenUp: alertPeriods.filter(({ periodStart }) => isHopeless(periodStart)),
    kept,
    retry_state: kept.length === 0 ? null : retry_state,
    waitMs,
  };
}

/** The trouble of a rule that has something new and no place to tell it. */
export function notConfigured(before: RetryState | undefined, now: Date): RetryState {
  return {
    undelivered_since: before?.undelivered_since ?? now,
    ...{ failing_since: null, failures: 0, next_attempt_at: null },
  };
}

/** The trouble of a rule that makes no attempt, because another one was told to leave their target alone for so long. */
export function postponed(
  before: RetryState | undefined,
  { now, pauseMs }: { now: Date; pauseMs: number },
): RetryState {
  return {
    undelivered_since: before?.undelivered_since ?? now,
    failing_since: before?.failing_since ?? null,
    failures: before?.failures ?? 0,
    next_attempt_at: new Date(now.getTime() + Math.ceil(pauseMs)),
  };
}

/**
 * Is a rule to be tried now? Also when its next attempt lies further ahead than any wait: then it was stored by a clock
 * that was wrong.
 */
export function isDue(retry_state: RetryState | undefined, now: Date): boolean {
  const next = retry_state?.next_attempt_at ?? null;
  if (next === null) return true;
  const waitMs = next.getTime() - now.getTime();
  return waitMs <= 0 || waitMs > maxRetryAfterMs;
}

/**
 * Was the next attempt due long ago, and nobody made it, as when the service was off for a weekend? Then what failed
 * before says nothing: only a day of attempts gives something up.
 */
function wasInterrupted({ next_attempt_at }: RetryState, now: Date): boolean {
  return next_attempt_at !== null && now.getTime() - next_attempt_at.getTime() > maxRetryAfterMs;
}

/** Does the trouble say already that there is no place to tell it? */
export function isNotConfigured(retry_state: RetryState | undefined): boolean {
  return retry_state?.failing_since === null && retry_state.next_attempt_at === null;
}

/** How many of these have which severity. */
export function countBySeverity(of: readonly { severity: Severity }[]): AlertCounts {
  const counts: AlertCounts = {};
  for (const { severity } of of) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}

/** Once some were given up, the others wait since they appeared, or since the first failure. */
function waitingSince(
  before: RetryState | undefined,
  kept: readonly { periodStart: Date }[],
  now: Date,
): Date {
  if (before === undefined) return now;
  const oldest = kept.reduce(
    (least, { periodStart }) => Math.min(least, periodStart.getTime()),
    Infinity,
  );
  const since = Math.max(before.undelivered_since.getTime(), Math.min(oldest, now.getTime()));
  return new Date(since);
}
