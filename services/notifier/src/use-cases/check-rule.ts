import type { AlertChannel } from '@bomtrail/messages';
import type { Lease, Logger, Request } from '@bomtrail/service-kit';
import { v7 as newId } from 'uuid';
import type { Channel, Outcome, Target } from '../channels/channel';
import {
  afterFailure,
  countBySeverity,
  isWithoutPlace,
  withoutPlace,
  type FailedAttempt,
} from '../domain/attempt-result';
import type { AttemptTimes } from '../domain/attempts';
import { nameOfFacts } from '../domain/told';
import type { Metrics } from '../metrics';
import type { AlertRuleDocument, DeliveryDocument, ToldDocument } from '../store/documents';
import { gatherNew, type GatherDeps, type Gathered, type NewEpisode } from './gather-new';
import type { Recorder } from './keep-record';
import { makeDigest, type DigestDeps } from './make-digest';
import type { Ledger } from './project-ledgers';
import { sendOnce } from './send-once';

export type Channels = Readonly<Record<AlertChannel, Channel>>;

export interface CheckRuleDeps extends GatherDeps, DigestDeps {
  channels: Channels;
  recorder: Recorder;
  metrics: Metrics;
  log: Logger;
  times: AttemptTimes;
  /** The time of this process. */
  now: () => Date;
  /** From 0 to below 1. */
  chance: () => number;
}

/** A look at one rule. */
export interface RuleCheck {
  rule: AlertRuleDocument;
  target: Target | { unconfigured: string };
  /** Reads the ledgers of a project. */
  ledgersOf: (projectId: string) => Promise<Ledger[]>;
  lease: Pick<Lease, 'guard'> & {
    /** @throws LeaseLost unless the lease is held now */
    assertHeld(): void;
  };
  /** Ends it as soon as possible; what it had not stored is new again. */
  signal: AbortSignal;
  /** Reads large results for a bounded number of rules at once. */
  gatherInSlot: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** The target asked to be left alone. */
  pauseTarget: (ms: number) => void;
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
): Promise<'quiet' | 'sent' | 'failed' | 'not_configured'> {
  const { rule, target, lease, signal } = check;
  await deps.recorder.keepLeft(rule._id, lease);
  const news = await check.gatherInSlot(async () => {
    const ledgers = await check.ledgersOf(rule.project_id);
    return gatherNew({ ...deps, request: endedBy(signal, deps.request) }, rule, ledgers);
  });
  if (news.episodes.length === 0) return keepQuiet(deps, check, news);
  if (!('send' in target)) return keepWithoutPlace(deps, check, { news, why: target.unconfigured });

  const total = news.episodes.length;
  const about = await makeDigest(deps, rule, { ...news, total, now: deps.now() });
  const digest = { ...about, key: nameOfFacts(news.episodes.map(({ _id }) => _id)) };
  signal.throwIfAborted();
  lease.assertHeld();
  const outcome = await sendOnce(target, digest, signal);
  if (outcome.kind === 'sent') return keepSent(deps, check, { news, note: outcome.note });
  signal.throwIfAborted();
  return keepFailed(deps, check, { news, outcome });
}

/** Asks nothing more once it is aborted: large results are read in many pages. */
function endedBy(signal: AbortSignal, request: Request): Request {
  return (definition, body) => {
    signal.throwIfAborted();
    return request(definition, body);
  };
}

async function keepQuiet(
  deps: CheckRuleDeps,
  { rule, lease }: RuleCheck,
  { marks }: Gathered,
): Promise<'quiet'> {
  if (marks.length > 0 || rule.trouble !== undefined) {
    await deps.recorder.keep({ rule, deliveries: [], told: [], marks, trouble: null }, lease);
  }
  return 'quiet';
}

async function keepWithoutPlace(
  deps: CheckRuleDeps,
  { rule, lease }: RuleCheck,
  { news, why }: { news: Gathered; why: string },
): Promise<'not_configured'> {
  const channel = rule.notification_type;
  deps.metrics.suppressed.inc({ channel, reason: 'not_configured' });
  deps.log.warn(
    { rule_id: rule._id, channel, why, total: news.episodes.length, counts: news.counts },
    'A rule has something to tell and its channel is not configured.',
  );
  const trouble = withoutPlace(rule.trouble, deps.now());
  const marks = news.quietMarks;
  if (marks.length > 0 || !isWithoutPlace(rule.trouble)) {
    await deps.recorder.keep({ rule, deliveries: [], told: [], marks, trouble }, lease);
  }
  return 'not_configured';
}

async function keepSent(
  deps: CheckRuleDeps,
  { rule, lease }: RuleCheck,
  { news, note }: { news: Gathered; note: string | undefined },
): Promise<'sent'> {
  const channel = rule.notification_type;
  deps.metrics.sent.inc({ channel });
  deps.metrics.told.inc({ channel }, news.episodes.length);
  const now = deps.now();
  const sent = { at: now, outcome: 'sent', reason: note ?? null } as const;
  const delivery = deliveryOf(rule, news.episodes, sent);
  const told = toldBy(delivery, news.episodes, 'told');
  const { marks } = news;
  await deps.recorder.keep({ rule, deliveries: [delivery], told, marks, trouble: null }, lease);
  const { total } = delivery;
  deps.log.info({ rule_id: rule._id, channel, total, note }, 'A rule told what is new.');
  return 'sent';
}

async function keepFailed(
  deps: CheckRuleDeps,
  check: RuleCheck,
  { news, outcome }: { news: Gathered; outcome: Extract<Outcome, { kind: 'failed' }> },
): Promise<'failed'> {
  const { rule, lease } = check;
  const { reason, retryAfterMs } = outcome;
  const channel = rule.notification_type;
  const at = deps.now();
  const failure = afterFailure(
    { before: rule.trouble, episodes: news.episodes, now: at, retryAfterMs, chance: deps.chance() },
    deps.times,
  );
  if (retryAfterMs !== undefined) check.pauseTarget(failure.waitMs);
  deps.metrics.failed.inc({ channel });
  const { deliveries, told } = attemptsOf(rule, news.episodes, { at, reason, failure });
  const marks = failure.trouble === null ? news.marks : news.quietMarks;
  const { trouble } = failure;
  logFailure(deps, rule, { reason, failure });
  await deps.recorder.keep({ rule, deliveries, told, marks, trouble }, lease);
  return 'failed';
}

function logFailure(
  deps: CheckRuleDeps,
  rule: AlertRuleDocument,
  { reason, failure }: { reason: string; failure: FailedAttempt<NewEpisode> },
): void {
  const channel = rule.notification_type;
  const about = { rule_id: rule._id, channel, reason };
  const next_attempt_at = failure.trouble?.next_attempt_at;
  deps.log.warn({ ...about, next_attempt_at }, 'A rule could not tell what is new.');
  if (failure.givenUp.length === 0) return;
  deps.metrics.suppressed.inc({ channel, reason: 'given_up' });
  const counts = countBySeverity(failure.givenUp);
  deps.log.error(
    { ...about, total: failure.givenUp.length, counts },
    'After a day of failures it is given up to tell what was new then.',
  );
}

/** What is stored of a failed attempt: what is tried again, and what is given up. */
function attemptsOf(
  rule: AlertRuleDocument,
  episodes: readonly NewEpisode[],
  failed: { at: Date; reason: string; failure: FailedAttempt<NewEpisode> },
): { deliveries: DeliveryDocument[]; told: ToldDocument[] } {
  const { at, reason, failure } = failed;
  const deliveries: DeliveryDocument[] = [];
  if (failure.trouble !== null) {
    const { next_attempt_at } = failure.trouble;
    const attempt = { at, outcome: 'failed', reason, next_attempt_at } as const;
    deliveries.push(deliveryOf(rule, episodes, attempt));
  }
  if (failure.givenUp.length === 0) return { deliveries, told: [] };
  const last = deliveryOf(rule, failure.givenUp, { at, outcome: 'given_up', reason });
  return { deliveries: [...deliveries, last], told: toldBy(last, failure.givenUp, 'given_up') };
}

function deliveryOf(
  rule: AlertRuleDocument,
  episodes: readonly NewEpisode[],
  attempt: Pick<DeliveryDocument, 'at' | 'outcome' | 'reason'> &
    Partial<Pick<DeliveryDocument, 'next_attempt_at'>>,
): DeliveryDocument {
  return {
    _id: newId(),
    rule_id: rule._id,
    project_id: rule.project_id,
    channel: rule.notification_type,
    kind: 'alert',
    total: episodes.length,
    counts: countBySeverity(episodes),
    next_attempt_at: null,
    ...attempt,
  };
}

function toldBy(
  delivery: DeliveryDocument,
  episodes: readonly NewEpisode[],
  outcome: ToldDocument['outcome'],
): ToldDocument[] {
  return episodes.map(({ episode: _, ...fact }) => ({
    ...fact,
    outcome,
    delivery_id: delivery._id,
    at: delivery.at,
  }));
}
