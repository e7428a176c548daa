import type { AlertCounts, Severity } from '@bomtrail/messages';
import { isGivenUp, maxRetryAfterMs, waitAfter, type AttemptTimes } from './attempts';

/** Undelivered alerts of a rule, and when delivery is retried. */
export interface RetryState {
  /** Since when alerts are waiting. */
  undelivered_since: Date;
  /**
   * Since when every attempt failed, at the earliest since the last of what waits came; null: no attempt, because the
   * channel is not configured or the rule was changed.
   */
  failing_since: Date | null;
  /** Failed attempts since then. */
  failures: number;
  /** Null: at the next check. */
  next_attempt_at: Date | null;
  /** Last failed attempt; absent: none since a change of the rule. */
  attempted_at?: Date;
  /** Since when quiet hours prevent attempts; absent: none since the last attempt. */
  waiting_since?: Date;
}

/** Content of a message; null: since when it waits is unknown, as of stale feeds. */
interface Content {
  periodStart: Date | null;
}

/** Consequences of a failed attempt. */
export interface FailedAttempt<AlertPeriod> {
  givenUp: AlertPeriod[];
  /** To retry. */
  remaining: AlertPeriod[];
  /** Null: nothing left to retry. */
  retry_state: RetryState | null;
  waitMs: number;
}

/**
 * Decides when to retry a rule after a failure, and what to give up: nothing whose start is unknown.
 *
 * @param attempt `alertPeriods`: content of the message, at least one
 */
export function afterFailure<AlertPeriod extends Content>(
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
  const streak = before && !wasInterrupted(before, now) ? before : undefined;
  const failingSince = failingSinceOf(streak, now) ?? now;
  const failures = (streak?.failures ?? 0) + 1;
  const waitMs = waitAfter({ ...attempt, failures }, times);
  const isLate = ({ periodStart }: Content) => cameSince(streak, periodStart, times);
  const isHopeless = (one: Content) =>
    one.periodStart !== null &&
    !isLate(one) &&
    isGivenUp({ failingSince, periodStart: one.periodStart, now }, times);
  const remaining = alertPeriods.filter((one) => !isHopeless(one));
  const retry_state = {
    undelivered_since: waitingSince(before, remaining, now),
    failing_since: remaining.some(isLate) ? now : failingSince,
    failures,
    next_attempt_at: new Date(now.getTime() + waitMs),
    attempted_at: now,
  };
  return {
    givenUp: alertPeriods.filter(isHopeless),
    remaining,
    retry_state: remaining.length === 0 ? null : retry_state,
    waitMs,
  };
}

/**
 * Whether the last attempt would have given up an alert period, so that it came to the rule since:
 * an EPSS score rose, or a service has a new owner. It has a day of attempts, too.
 */
function cameSince(streak: RetryState | undefined, periodStart: Date | null, times: AttemptTimes) {
  const { failing_since = null, attempted_at } = streak ?? {};
  if (periodStart === null || failing_since === null || attempted_at === undefined) return false;
  return isGivenUp({ failingSince: failing_since, periodStart, now: attempted_at }, times);
}

/** State of a rule with alerts and an unconfigured channel. */
export function notConfigured(before: RetryState | undefined, now: Date): RetryState {
  return {
    undelivered_since: before?.undelivered_since ?? now,
    failing_since: null,
    failures: 0,
    next_attempt_at: null,
  };
}

/** State of a rule that makes no attempt while its target is paused. */
export function postponed(
  before: RetryState | undefined,
  { now, pauseMs }: { now: Date; pauseMs: number },
): RetryState {
  return {
    undelivered_since: before?.undelivered_since ?? now,
    failing_since: failingSinceOf(before, now),
    failures: before?.failures ?? 0,
    next_attempt_at: new Date(now.getTime() + Math.ceil(pauseMs)),
    ...(before?.attempted_at && { attempted_at: before.attempted_at }),
  };
}

/** State of a rule with undelivered alerts in its quiet hours. */
export function waiting(before: RetryState, now: Date): RetryState {
  return { ...before, next_attempt_at: null, waiting_since: before.waiting_since ?? now };
}

/** AL10: quiet hours since the last attempt give nothing up, so failures count as that much later. */
function failingSinceOf(before: RetryState | undefined, now: Date): Date | null {
  const { failing_since = null, waiting_since } = before ?? {};
  if (failing_since === null || waiting_since === undefined) return failing_since;
  const waitedMs = Math.max(0, now.getTime() - waiting_since.getTime());
  return new Date(Math.min(now.getTime(), failing_since.getTime() + waitedMs));
}

/**
 * Whether to try a rule now. A next attempt beyond the maximum wait was stored by a wrong clock and
 * counts as due.
 */
export function isDue(retry_state: RetryState | undefined, now: Date): boolean {
  const next = retry_state?.next_attempt_at ?? null;
  if (next === null) return true;
  const waitMs = next.getTime() - now.getTime();
  return waitMs <= 0 || waitMs > maxRetryAfterMs;
}

/**
 * Whether attempts were interrupted: the next one is long overdue, because the service was down.
 * Earlier failures do not count then, since only a day of attempts gives an alert up.
 */
function wasInterrupted({ next_attempt_at }: RetryState, now: Date): boolean {
  return next_attempt_at !== null && now.getTime() - next_attempt_at.getTime() > maxRetryAfterMs;
}

/** Whether the state is already that of an unconfigured channel. */
export function isNotConfigured(retry_state: RetryState | undefined): boolean {
  return retry_state?.failing_since === null && retry_state.next_attempt_at === null;
}

/** Counts by severity. */
export function countBySeverity(of: readonly { severity: Severity }[]): AlertCounts {
  const counts: AlertCounts = {};
  for (const { severity } of of) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}

/** After some were given up, the others wait since their start, or since the first failure if one is unknown. */
function waitingSince(
  before: RetryState | undefined,
  remaining: readonly Content[],
  now: Date,
): Date {
  if (before === undefined) return now;
  const oldest = remaining.reduce(
    (least, { periodStart }) => Math.min(least, periodStart?.getTime() ?? 0),
    now.getTime(),
  );
  return new Date(Math.max(before.undelivered_since.getTime(), oldest));
}
