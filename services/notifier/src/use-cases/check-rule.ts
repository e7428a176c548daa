import type { AlertChannel } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { resumed, type Tracer } from '@bomtrail/telemetry';
import type { Channel, Target } from '../channels/channel';
import { digestKeyOf } from '../domain/notification-key';
import type { SendBudget } from '../store/send-budget';
import { dueDigest, waitsFor } from '../domain/waiting';
import type { RemindTimes } from '../domain/remind-times';
import { gatherAll, type GatherAllDeps } from './gather-all';
import { maxReminders } from './gather-reminders';
import { maxNotified, type Gathered } from './gather-new';
import {
  recordFailed,
  recordPostponed,
  recordNothingNew,
  recordSent,
  recordNotConfigured,
  recordWaiting,
  type CheckedRule,
  type OutcomeDeps,
} from './record-outcome';
import { makeDigest, type DigestDeps } from './make-digest';
import type { ProjectStates } from './project-service-states';
import { sendOnce } from './send-once';

export type Channels = Readonly<Record<AlertChannel, Channel>>;

export interface CheckRuleDeps extends GatherAllDeps, DigestDeps, OutcomeDeps {
  /** When each rule was last asked what it reminds of. */
  remindTimes: RemindTimes;
  tracer: Tracer | undefined;
  channels: Channels;
  /** Alerts per receiver, project and hour (`ALERT_MESSAGES_PER_HOUR`). */
  alertBudget: SendBudget;
}

/** How long a digest is repeated before it is sent without the reminders that cannot be read. */
const digestWaitMs = 3_600_000;

/** A check of one rule. */
export interface RuleCheck extends CheckedRule {
  target: Target | { unconfigured: string };
  /** Reads the service states of a project. */
  statesOf: (projectId: string) => Promise<ProjectStates>;
  lease: CheckedRule['lease'] & {
    /** @throws LeaseLost unless the lease is held */
    assertHeld(): void;
  };
  /** Ends the check as soon as possible; what is not stored stays new. */
  signal: AbortSignal;
  /** Runs large reads for a bounded number of rules at a time. */
  gatherInSlot: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Remaining pause of the target in milliseconds. */
  pauseLeft: () => number;
}

/**
 * Sends everything that is new to a rule in one message and stores the outcome; the only place that
 * sends alerts. A crash between sending and storing costs a duplicate message, never a lost one.
 *
 * @throws LeaseLost; AppError of a called service; the signal's reason
 */
export async function checkRule(
  deps: CheckRuleDeps,
  check: RuleCheck,
): Promise<'quiet' | 'sent' | 'failed' | 'not_configured' | 'postponed' | 'waiting'> {
  const { rule, target, lease, signal } = check;
  await deps.recorder.storePending(rule._id, lease);
  if (waitsFor(rule, deps.now()) !== null) return recordWaiting(deps, check);
  const news = await check.gatherInSlot(async () => {
    return gatherFor({ ...deps, request: endedBy(signal, deps.request) }, check);
  });
  if (news.alertPeriods.length + news.reminders.length === 0)
    return recordNothingNew(deps, check, news);
  if (!('send' in target))
    return recordNotConfigured(deps, check, { news, why: target.unconfigured });
  const pauseMs = check.pauseLeft();
  if (pauseMs > 0) return recordPostponed(deps, check, { news, pauseMs });

  const { traceparents } = news;
  const start = { name: 'send alert', attributes: { 'bomtrail.channel': rule.notification_type } };
  return resumed({ tracer: deps.tracer, traceparents }, start, () =>
    sendAlert(deps, check, { news, target }),
  );
}

/** What is new to a rule, and what it reminds of, with the digest that a message about it serves. */
async function gatherFor(deps: CheckRuleDeps, { rule, statesOf }: RuleCheck): Promise<Gathered> {
  const now = deps.now();
  const digested_to = dueDigest(rule, now);
  const project = await statesOf(rule.project_id);
  // Alerts do not wait for a service that only reminders need, but a digest does for a while: its
  // reminders would come a day or a week later, maybe too late.
  const mustRead =
    digested_to !== undefined && now.getTime() - digested_to.getTime() < digestWaitMs;
  const withReminders = deps.remindTimes.isDue(rule, now) && (mustRead || 'readable');
  const { remindersRead, ...news } = await gatherAll(deps, rule, { project, now, withReminders });
  if (remindersRead && news.reminders.length === 0) deps.remindTimes.asked(rule, now);
  // What is left of a large digest follows at the next check, not a day later.
  const isWhole = news.alertPeriods.length < maxNotified && news.reminders.length < maxReminders;
  return { ...news, ...(isWhole && digested_to && { digested_to }) };
}

/** Sends one message, unless the receiver has had as many as it may get, and stores the outcome. */
async function sendAlert(
  deps: CheckRuleDeps,
  check: RuleCheck,
  { news, target }: { news: Gathered; target: Target },
): Promise<'sent' | 'failed' | 'postponed'> {
  const { rule, lease, signal } = check;
  const total = news.alertPeriods.length;
  const about = await makeDigest(deps, rule, { ...news, total, now: deps.now() });
  const keys = [...news.alertPeriods, ...news.reminders].map(({ _id }) => _id);
  const digest = { ...about, key: digestKeyOf(keys) };

  // Last: a check that fails before it sends uses nothing up.
  const budgets = budgetsOf(rule.project_id, target);
  const waitSeconds = await deps.alertBudget.take(budgets);
  if (waitSeconds > 0) {
    const limited = { rule_id: rule._id, channel: rule.notification_type };
    deps.log.warn(
      { ...limited, wait_seconds: waitSeconds },
      'Hourly alert limit of a receiver reached: the rule is postponed.',
    );
    return recordPostponed(deps, check, { news, pauseMs: waitSeconds * 1_000 });
  }
  signal.throwIfAborted();
  lease.assertHeld();
  const outcome = await sendOnce(target, digest, signal);
  if (outcome.kind === 'sent') return recordSent(deps, check, { news, note: outcome.note });
  signal.throwIfAborted();
  await deps.alertBudget.giveBack(budgets);
  return recordFailed(deps, check, { news, outcome });
}

/** Counted per project, so that no project can use up the budget of another. */
function budgetsOf(projectId: string, { receivers }: Target): string[] {
  return receivers.map((receiver) => `alert ${projectId} ${receiver}`);
}

/** A `request` that stops once aborted, since large results take many pages. */
function endedBy(signal: AbortSignal, request: Request): Request {
  return (definition, body) => {
    signal.throwIfAborted();
    return request(definition, body);
  };
}
