import type { Lease } from '@bomtrail/mongo';
import type { Logger } from '@bomtrail/telemetry';
import { v7 as newId } from 'uuid';
import type { Outcome } from '../channels/channel';
import {
  afterFailure,
  countBySeverity,
  postponed,
  isNotConfigured,
  notConfigured,
  type FailedAttempt,
} from '../domain/retry-state';
import type { AttemptTimes } from '../domain/attempts';
import type { Metrics } from '../metrics';
import type { AlertRuleDocument, DeliveryDocument, NotificationDocument } from '../store/documents';
import type { Gathered, NewAlertPeriod } from './gather-new';
import type { Recorder } from './recorder';

export interface OutcomeDeps {
  recorder: Recorder;
  metrics: Metrics;
  log: Logger;
  times: AttemptTimes;
  /** Clock. */
  now: () => Date;
  /** From 0 to below 1. */
  chance: () => number;
}

/** A checked rule. */
export interface CheckedRule {
  rule: AlertRuleDocument;
  lease: Pick<Lease, 'guard'>;
  /** Pauses the target at its own request. */
  pauseTarget: (ms: number) => void;
}

/** Nothing is new: stores the marks and clears the retry state. */
export async function recordNothingNew(
  deps: OutcomeDeps,
  { rule, lease }: CheckedRule,
  { marks }: Gathered,
): Promise<'quiet'> {
  if (marks.length > 0 || rule.retry_state !== undefined) {
    await deps.recorder.store(
      { rule, deliveries: [], notifications: [], marks, retry_state: null },
      lease,
    );
  }
  return 'quiet';
}

/** The channel is not configured: everything stays new. */
export async function recordNotConfigured(
  deps: OutcomeDeps,
  { rule, lease }: CheckedRule,
  { news, why }: { news: Gathered; why: string },
): Promise<'not_configured'> {
  const channel = rule.notification_type;
  deps.metrics.suppressed.inc({ channel, reason: 'not_configured' });
  deps.log.warn(
    { rule_id: rule._id, channel, why, total: news.alertPeriods.length, counts: news.counts },
    'A rule has new alerts, but its channel is not configured.',
  );
  const retry_state = notConfigured(rule.retry_state, deps.now());
  const marks = news.quietMarks;
  if (marks.length > 0 || !isNotConfigured(rule.retry_state)) {
    await deps.recorder.store(
      { rule, deliveries: [], notifications: [], marks, retry_state },
      lease,
    );
  }
  return 'not_configured';
}

/**
 * No message is sent now: another rule's delivery paused the target for long, or the receiver's
 * hourly limit is reached.
 */
export async function recordPostponed(
  deps: OutcomeDeps,
  { rule, lease }: CheckedRule,
  { news, pauseMs }: { news: Gathered; pauseMs: number },
): Promise<'postponed'> {
  const retry_state = postponed(rule.retry_state, { now: deps.now(), pauseMs });
  const marks = news.quietMarks;
  await deps.recorder.store({ rule, deliveries: [], notifications: [], marks, retry_state }, lease);
  return 'postponed';
}

/** The message was sent; the only place that marks alert periods as reported. */
export async function recordSent(
  deps: OutcomeDeps,
  { rule, lease }: CheckedRule,
  { news, note }: { news: Gathered; note: string | undefined },
): Promise<'sent'> {
  const channel = rule.notification_type;
  deps.metrics.sent.inc({ channel });
  deps.metrics.notified.inc({ channel }, news.alertPeriods.length);
  const now = deps.now();
  const sent = { at: now, outcome: 'sent', reason: note ?? null } as const;
  const delivery = deliveryOf(rule, news.alertPeriods, sent);
  const notifications = notificationsOf(delivery, news.alertPeriods, 'notified');
  const { marks } = news;
  await deps.recorder.store(
    { rule, deliveries: [delivery], notifications, marks, retry_state: null },
    lease,
  );
  const { total } = delivery;
  const fields = { rule_id: rule._id, channel, total };
  if (note === undefined) deps.log.info(fields, 'Alert sent.');
  else deps.log.warn({ ...fields, note }, 'Alert sent, but not to every recipient.');
  return 'sent';
}

/** The message was not sent: everything stays new, except what is given up after a day. */
export async function recordFailed(
  deps: OutcomeDeps,
  check: CheckedRule,
  { news, outcome }: { news: Gathered; outcome: Extract<Outcome, { kind: 'failed' }> },
): Promise<'failed'> {
  const { rule, lease } = check;
  const { reason, retryAfterMs } = outcome;
  const channel = rule.notification_type;
  const at = deps.now();
  const failure = afterFailure(
    {
      before: rule.retry_state,
      alertPeriods: news.alertPeriods,
      now: at,
      retryAfterMs,
      chance: deps.chance(),
    },
    deps.times,
  );
  if (retryAfterMs !== undefined) check.pauseTarget(failure.waitMs);
  deps.metrics.failed.inc({ channel });
  const { deliveries, notifications } = attemptsOf(rule, news.alertPeriods, {
    at,
    reason,
    failure,
  });
  const marks = failure.retry_state === null ? news.marks : news.quietMarks;
  const { retry_state } = failure;
  logFailure(deps, rule, { reason, failure });
  await deps.recorder.store({ rule, deliveries, notifications, marks, retry_state }, lease);
  return 'failed';
}

function logFailure(
  deps: OutcomeDeps,
  rule: AlertRuleDocument,
  { reason, failure }: { reason: string; failure: FailedAttempt<NewAlertPeriod> },
): void {
  const channel = rule.notification_type;
  const about = { rule_id: rule._id, channel, reason };
  const next_attempt_at = failure.retry_state?.next_attempt_at;
  deps.log.warn({ ...about, next_attempt_at }, 'Sending an alert failed.');
  if (failure.givenUp.length === 0) return;
  deps.metrics.suppressed.inc({ channel, reason: 'given_up' });
  const counts = countBySeverity(failure.givenUp);
  deps.log.error(
    { ...about, total: failure.givenUp.length, counts },
    'Alerts given up after a day of failures.',
  );
}

/** Documents of a failed attempt: retries and given-up alert periods. */
function attemptsOf(
  rule: AlertRuleDocument,
  alertPeriods: readonly NewAlertPeriod[],
  failed: { at: Date; reason: string; failure: FailedAttempt<NewAlertPeriod> },
): { deliveries: DeliveryDocument[]; notifications: NotificationDocument[] } {
  const { at, reason, failure } = failed;
  const deliveries: DeliveryDocument[] = [];
  if (failure.retry_state !== null) {
    const { next_attempt_at } = failure.retry_state;
    const attempt = { at, outcome: 'failed', reason, next_attempt_at } as const;
    deliveries.push(deliveryOf(rule, alertPeriods, attempt));
  }
  if (failure.givenUp.length === 0) return { deliveries, notifications: [] };
  const last = deliveryOf(rule, failure.givenUp, { at, outcome: 'given_up', reason });
  return {
    deliveries: [...deliveries, last],
    notifications: notificationsOf(last, failure.givenUp, 'given_up'),
  };
}

function deliveryOf(
  rule: AlertRuleDocument,
  alertPeriods: readonly NewAlertPeriod[],
  attempt: Pick<DeliveryDocument, 'at' | 'outcome' | 'reason'> &
    Partial<Pick<DeliveryDocument, 'next_attempt_at'>>,
): DeliveryDocument {
  return {
    _id: newId(),
    rule_id: rule._id,
    project_id: rule.project_id,
    channel: rule.notification_type,
    kind: 'alert',
    total: alertPeriods.length,
    counts: countBySeverity(alertPeriods),
    next_attempt_at: null,
    ...attempt,
  };
}

function notificationsOf(
  delivery: DeliveryDocument,
  alertPeriods: readonly NewAlertPeriod[],
  outcome: NotificationDocument['outcome'],
): NotificationDocument[] {
  return alertPeriods.flatMap(({ periodStart: _, also, ...period }) =>
    [period._id, ...also].map((_id) => ({
      ...period,
      _id,
      outcome,
      delivery_id: delivery._id,
      at: delivery.at,
    })),
  );
}
