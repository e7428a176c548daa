import type { AlertChannel } from '@bomtrail/messages';
import { resumed, type Request, type Tracer } from '@bomtrail/service-kit';
import type { Channel, Target } from '../channels/channel';
import { digestKeyOf } from '../domain/notification-key';
import type { SendBudget } from '../store/send-budget';
import { gatherNew, type Gathered, type GatherDeps } from './gather-new';
import {
  recordFailed,
  recordPostponed,
  recordNothingNew,
  recordSent,
  recordNotConfigured,
  type CheckedRule,
  type OutcomeDeps,
} from './record-outcome';
import { makeDigest, type DigestDeps } from './make-digest';
import type { ServiceState } from './project-service-states';
import { sendOnce } from './send-once';

export type Channels = Readonly<Record<AlertChannel, Channel>>;

export interface CheckRuleDeps extends GatherDeps, DigestDeps, OutcomeDeps {
  tracer: Tracer | undefined;
  channels: Channels;
  /** Alerts that one receiver gets of one project in an hour (`ALERT_MESSAGES_PER_HOUR`). */
  alertBudget: SendBudget;
}

/** A look at one rule. */
export interface RuleCheck extends CheckedRule {
  target: Target | { unconfigured: string };
  /** Reads the ledgers of a project. */
  statesOf: (projectId: string) => Promise<ServiceState[]>;
  lease: CheckedRule['lease'] & {
    /** @throws LeaseLost unless the lease is held now */
    assertHeld(): void;
  };
  /** Ends it as soon as possible; what it had not stored is new again. */
  signal: AbortSignal;
  /** Reads large results for a bounded number of rules at once. */
  gatherInSlot: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** For how many milliseconds the target is still left alone. */
  pauseLeft: () => number;
}

/**
 * Tells what is new to a rule in one message and stores that it was told, or why it was not: the one place
 * where alerts are sent. Between the message and the record a crash costs one more message, never one less.
 *
 * @throws LeaseLost; AppError of a service that was asked; the signal's reason
 */
export async function checkRule(
  deps: CheckRuleDeps,
  check: RuleCheck,
): Promise<'quiet' | 'sent' | 'failed' | 'not_configured' | 'postponed'> {
  const { rule, target, lease, signal } = check;
  await deps.recorder.storePending(rule._id, lease);
  const news = await check.gatherInSlot(async () => {
    const states = await check.statesOf(rule.project_id);
    return gatherNew({ ...deps, request: endedBy(signal, deps.request) }, rule, states);
  });
  if (news.alertPeriods.length === 0) return recordNothingNew(deps, check, news);
  if (!('send' in target))
    return recordNotConfigured(deps, check, { news, why: target.unconfigured });
  const pauseMs = check.pauseLeft();
  if (pauseMs > 0) return recordPostponed(deps, check, { news, pauseMs });

  const budgets = budgetsOf(rule.project_id, target);
  const waitSeconds = await deps.alertBudget.take(budgets);
  if (waitSeconds > 0) {
    const about = { rule_id: rule._id, channel: rule.notification_type, wait_seconds: waitSeconds };
    deps.log.warn(about, 'A receiver has had its alerts of this hour: a rule waits.');
    return recordPostponed(deps, check, { news, pauseMs: waitSeconds * 1_000 });
  }

  const { traceparents } = news;
  const start = { name: 'tell', attributes: { 'bomtrail.channel': rule.notification_type } };
  return resumed({ tracer: deps.tracer, traceparents }, start, () =>
    tell(deps, check, { news, target, budgets }),
  );
}

/** Sends one message, and stores what came of it. */
async function tell(
  deps: CheckRuleDeps,
  check: RuleCheck,
  { news, target, budgets }: { news: Gathered; target: Target; budgets: readonly string[] },
): Promise<'sent' | 'failed'> {
  const { rule, lease, signal } = check;
  const total = news.alertPeriods.length;
  const about = await makeDigest(deps, rule, { ...news, total, now: deps.now() });
  const digest = { ...about, key: digestKeyOf(news.alertPeriods.map(({ _id }) => _id)) };
  signal.throwIfAborted();
  lease.assertHeld();
  const outcome = await sendOnce(target, digest, signal);
  if (outcome.kind === 'sent') return recordSent(deps, check, { news, note: outcome.note });
  signal.throwIfAborted();
  await deps.alertBudget.giveBack(budgets);
  return recordFailed(deps, check, { news, outcome });
}

/** Counted for each project by itself: nobody can use up what the alerts of another project need. */
function budgetsOf(projectId: string, { receivers }: Target): string[] {
  return receivers.map((receiver) => `alert ${projectId} ${receiver}`);
}

/** Asks nothing more once it is aborted: large results are read in many pages. */
function endedBy(signal: AbortSignal, request: Request): Request {
  return (definition, body) => {
    signal.throwIfAborted();
    return request(definition, body);
  };
}
