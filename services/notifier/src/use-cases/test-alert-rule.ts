import {
  AppError,
  secondsBetweenTests,
  type AlertChannel,
  type DeliveryView,
  type NamedAlertRule,
} from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import type { Channel, Outcome, Target } from '../channels/channel';
import type { Digest } from '../domain/digest';
import { sampleDigest } from '../domain/sample-digest';
import type { AlertRuleStore } from '../store/alert-rule-store';
import type { DeliveryStore } from '../store/delivery-store';
import type { SendBudget } from '../store/send-budget';
import type { AlertRuleDocument, DeliveryDocument } from '../store/documents';
import { configOf } from './config-of';
import { deliveryView } from './list-deliveries';
import { aboutRule, projectOf, type DigestDeps } from './make-digest';
import { ofExistingProject } from './of-existing-project';
import { sendOnce } from './send-once';

/** How long a test may take, in milliseconds; together less than whoever asks waits. */
export interface TestTimes {
  /** For alerts that are on their way to the same place. */
  waitMs: number;
  /** For the channel, whose own bound is shorter. */
  sendMs: number;
}

const usualTimes: TestTimes = { waitMs: 5_000, sendMs: 16_000 };

/** How messages to one place take turns. */
export interface Lanes {
  run<Result>(key: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  pause(key: string, ms: number): void;
  /** For how many milliseconds the place still wants to be left alone. */
  pauseLeft(key: string): number;
}

export type TestAlertRuleDeps = DigestDeps & {
  rules: Pick<AlertRuleStore, 'claimTest'>;
  deliveries: Pick<DeliveryStore, 'insert'>;
  channels: Readonly<Record<AlertChannel, Channel>>;
  lanes: Lanes;
  /** Tests that a key, a project and a receiver may cause in an hour (`ALERT_TESTS_PER_HOUR`). */
  testBudget: Pick<SendBudget, 'take'>;
  testsPerHour: number;
  /** The time of this process. */
  now: () => Date;
};

/**
 * Sends a sample through the rule's channel, whether the rule is on or off, and records what came of
 * it. Nothing counts as told. Only one in `secondsBetweenTests` for each rule, and `testsPerHour` for each API key,
 * project and receiver, over all processes.
 *
 * @throws AppError `alert_rule_not_found`, `rate_limited`, `service_unavailable`
 */
export async function testAlertRule(
  deps: TestAlertRuleDeps,
  { key_id: keyId, ...named }: NamedAlertRule & { key_id?: string | undefined },
  times = usualTimes,
): Promise<DeliveryView> {
  const rule = await deps.rules.claimTest(named, secondsBetweenTests * 1000);
  if (rule === 'missing') throw new AppError('alert_rule_not_found');
  if (rule === 'early') {
    const wait = `wait ${secondsBetweenTests} seconds`;
    const detail = `This rule was tested a moment ago: ${wait}.`;
    throw new AppError('rate_limited', detail, secondsBetweenTests);
  }
  const { name: projectName } = await ofExistingProject(projectOf(deps, rule));
  const sample = sampleDigest(aboutRule(deps, rule, { projectName, now: deps.now() }));
  const channel = deps.channels[rule.notification_type];
  const target = channel.targetOf({ id: rule._id, config: configOf(rule) });
  if (!('unconfigured' in target)) {
    await takeTest(deps, { keyId, projectId: rule.project_id, receivers: target.receivers });
  }
  const outcome =
    'unconfigured' in target
      ? ({ kind: 'failed', reason: target.unconfigured } as const)
      : await sendInLane(deps.lanes, { target, sample, times });
  const delivery = deliveryOf(rule, sample, { outcome, at: deps.now() });
  await deps.deliveries.insert(delivery);
  return deliveryView(delivery);
}

/** @throws AppError `rate_limited` */
async function takeTest(
  { testBudget, testsPerHour }: Pick<TestAlertRuleDeps, 'testBudget' | 'testsPerHour'>,
  by: { keyId: string | undefined; projectId: string; receivers: readonly string[] },
): Promise<void> {
  const seconds = await testBudget.take([
    ...(by.keyId === undefined ? [] : [`test key ${by.keyId}`]),
    `test project ${by.projectId}`,
    ...by.receivers.map((receiver) => `test receiver ${receiver}`),
  ]);
  if (seconds === 0) return;
  throw new AppError(
    'rate_limited',
    `${testsPerHour} tests an hour may be made with one API key, in one project and to one receiver (ALERT_TESTS_PER_HOUR): wait ${seconds} seconds.`,
    seconds,
  );
}

/** Where the place stays busy, or wants to be left alone, nothing is sent, and not later either: nobody waits for it then. */
async function sendInLane(
  lanes: Lanes,
  { target, sample, times }: { target: Target; sample: Digest; times: TestTimes },
): Promise<Outcome> {
  const waiting = AbortSignal.timeout(times.waitMs);
  let begun = false;
  const sent = lanes.run(
    target.key,
    async (): Promise<Outcome> => {
      begun = true;
      if (lanes.pauseLeft(target.key) > 0) return notSent(lanes, target);
      const outcome = await sendOnce(target, sample, AbortSignal.timeout(times.sendMs));
      if (outcome.kind === 'failed' && outcome.retryAfterMs !== undefined) {
        lanes.pause(target.key, outcome.retryAfterMs);
      }
      return outcome;
    },
    waiting,
  );
  const busy = new Promise<Outcome>((resolve) => {
    waiting.addEventListener('abort', () => {
      if (!begun) resolve(notSent(lanes, target));
    });
  });
  return Promise.race([sent, busy]).catch((error: unknown) => {
    if (!waiting.aborted) throw error;
    return notSent(lanes, target);
  });
}

function notSent(lanes: Lanes, { key }: Target): Outcome {
  const seconds = Math.ceil(lanes.pauseLeft(key) / 1000);
  const why =
    seconds > 0
      ? `the receiver asked to be left alone for ${seconds} seconds more`
      : 'other messages are on their way to the same place; try again in a minute';
  return { kind: 'failed', reason: `The sample was not sent: ${why}.` };
}

function deliveryOf(
  rule: AlertRuleDocument,
  sample: Digest,
  { outcome, at }: { outcome: Outcome; at: Date },
): DeliveryDocument {
  return {
    _id: newId(),
    rule_id: rule._id,
    project_id: rule.project_id,
    at,
    channel: rule.notification_type,
    kind: 'test',
    outcome: outcome.kind,
    reason: (outcome.kind === 'sent' ? outcome.note : outcome.reason) ?? null,
    total: sample.total,
    counts: sample.counts,
    // Whoever asked may ask again.
    next_attempt_at: null,
  };
}
