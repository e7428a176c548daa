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
  waiting,
  type FailedAttempt,
} from '../domain/retry-state';
import type { AttemptTimes } from '../domain/attempts';
import type { Metrics } from '../metrics';
import type {
  AlertRuleDocument,
  DeliveryDocument,
  NotificationDocument,
  ReminderDocument,
} from '../store/documents';
import type { CheckRecord } from '../store/record-store';
import type { Gathered, NewAlertPeriod } from './gather-new';
import type { NewReminder } from './gather-reminders';
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
  { marks, digested_to }: Gathered,
): Promise<'quiet'> {
  if (marks.length > 0 || rule.retry_state !== undefined || digested_to) {
    await deps.recorder.store(
      { rule, deliveries: [], notifications: [], marks, retry_state: null, digested_to },
      lease,
    );
  }
  return 'quiet';
}

/** It is not the time of the rule: what is new stays so, and a planned attempt is that of a later check. */
export async function recordWaiting(
  deps: OutcomeDeps,
  { rule, lease }: CheckedRule,
): Promise<'waiting'> {
  const { retry_state: before } = rule;
  if (before && before.waiting_since === undefined) {
    const retry_state = waiting(before, deps.now());
    await deps.recorder.store(
      { rule, deliveries: [], notifications: [], marks: [], retry_state },
      lease,
    );
  }
  return 'waiting';
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
  const delivery = deliveryOf(rule, news, sent);
  const notifications = notificationsOf(delivery, news.alertPeriods, 'notified');
  const reminders = remindersOf(delivery, news.reminders, 'notified');
  const { marks, digested_to } = news;
  const told = { deliveries: [delivery], notifications, reminders, marks, digested_to };
  await deps.recorder.store({ rule, ...told, retry_state: null }, lease);
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
      alertPeriods: contentOf(news),
      now: at,
      retryAfterMs,
      chance: deps.chance(),
    },
    deps.times,
  );
  if (retryAfterMs !== undefined) check.pauseTarget(failure.waitMs);
  deps.metrics.failed.inc({ channel });
  const attempts = attemptsOf(rule, news, { at, reason, failure });
  const { retry_state } = failure;
  const isOver = retry_state === null;
  const marks = isOver ? news.marks : news.quietMarks;
  logFailure(deps, rule, { reason, failure });
  const digest = isOver ? { digested_to: news.digested_to } : {};
  await deps.recorder.store({ rule, ...attempts, ...digest, marks, retry_state }, lease);
  return 'failed';
}

function logFailure(
  deps: OutcomeDeps,
  rule: AlertRuleDocument,
  { reason, failure }: { reason: string; failure: FailedAttempt<Content> },
): void {
  const channel = rule.notification_type;
  const about = { rule_id: rule._id, channel, reason };
  const next_attempt_at = failure.retry_state?.next_attempt_at;
  deps.log.warn({ ...about, next_attempt_at }, 'Sending an alert failed.');
  if (failure.givenUp.length === 0) return;
  deps.metrics.suppressed.inc({ channel, reason: 'given_up' });
  const counts = countBySeverity(splitUp(failure.givenUp).alertPeriods);
  deps.log.error(
    { ...about, total: failure.givenUp.length, counts },
    'Alerts given up after a day of failures.',
  );
}

/** Documents of a failed attempt: retries and given-up alert periods. */
function attemptsOf(
  rule: AlertRuleDocument,
  news: Told,
  failed: { at: Date; reason: string; failure: FailedAttempt<Content> },
): Pick<CheckRecord, 'deliveries' | 'notifications' | 'reminders'> {
  const { at, reason, failure } = failed;
  const deliveries: DeliveryDocument[] = [];
  if (failure.retry_state !== null) {
    const { next_attempt_at } = failure.retry_state;
    const attempt = { at, outcome: 'failed', reason, next_attempt_at } as const;
    deliveries.push(deliveryOf(rule, news, attempt));
  }
  if (failure.givenUp.length === 0) return { deliveries, notifications: [], reminders: [] };
  const givenUp = splitUp(failure.givenUp);
  const last = deliveryOf(rule, givenUp, { at, outcome: 'given_up', reason });
  return {
    deliveries: [...deliveries, last],
    notifications: notificationsOf(last, givenUp.alertPeriods, 'given_up'),
    reminders: remindersOf(last, givenUp.reminders, 'given_up'),
  };
}

function deliveryOf(
  rule: AlertRuleDocument,
  { alertPeriods, reminders }: Told,
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
    ...(reminders.length > 0 && { reminders: reminders.length }),
    next_attempt_at: null,
    ...attempt,
  };
}

/** What a message is about. */
type Told = Pick<Gathered, 'alertPeriods' | 'reminders'>;
type Content =
  | { periodStart: Date; period: NewAlertPeriod }
  | { periodStart: Date | null; reminder: NewReminder };

function contentOf({ alertPeriods, reminders }: Told): Content[] {
  return [
    ...alertPeriods.map((period) => ({ periodStart: period.periodStart, period })),
    ...reminders.map((reminder) => ({ periodStart: reminder.since, reminder })),
  ];
}

function splitUp(content: readonly Content[]): Told {
  return {
    alertPeriods: content.flatMap((one) => ('period' in one ? [one.period] : [])),
    reminders: content.flatMap((one) => ('reminder' in one ? [one.reminder] : [])),
  };
}

function remindersOf(
  delivery: DeliveryDocument,
  reminders: readonly NewReminder[],
  outcome: ReminderDocument['outcome'],
): ReminderDocument[] {
  const { rule_id, project_id, _id: delivery_id, at } = delivery;
  return reminders.map(({ _id, kind }) => {
    return { _id, rule_id, project_id, kind, outcome, delivery_id, at };
  });
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
