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
import type { AlertRuleStore } from '../ports';
import type { DeliveryStore } from '../store/delivery-store';
import type { SendBudget } from '../store/send-budget';
import type { AlertRuleDocument, DeliveryDocument } from '../store/documents';
import { configOf } from './config-of';
import { deliveryView } from './list-deliveries';
import { aboutRule, projectOf, type DigestDeps } from './make-digest';
import { ofExistingProject } from './of-existing-project';
import { sendOnce } from './send-once';

/** Timeouts of a test in milliseconds; their sum is below the caller's timeout. */
export interface TestTimes {
  /** For other messages to the same target. */
  waitMs: number;
  /** For the channel, whose own timeout is shorter. */
  sendMs: number;
}

const usualTimes: TestTimes = { waitMs: 5_000, sendMs: 16_000 };

/** Serialises messages to one target. */
export interface Lanes {
  run<Result>(key: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  pause(key: string, ms: number): void;
  /** Remaining pause of the target in milliseconds. */
  pauseLeft(key: string): number;
}

export type TestAlertRuleDeps = DigestDeps & {
  rules: Pick<AlertRuleStore, 'claimTest'>;
  deliveries: Pick<DeliveryStore, 'insert'>;
  channels: Readonly<Record<AlertChannel, Channel>>;
  lanes: Lanes;
  /** Tests per API key, project, receiver and hour (`ALERT_TESTS_PER_HOUR`). */
  testBudget: Pick<SendBudget, 'take'>;
  testsPerHour: number;
  /** Clock. */
  now: () => Date;
};

/**
 * Sends a test message through the channel of a rule, enabled or not, and records the outcome;
 * nothing counts as reported. Limits over all processes: one per rule in `secondsBetweenTests`, and
 * `testsPerHour` per API key, project and receiver.
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
    `At most ${testsPerHour} tests per hour for each API key, project and receiver (ALERT_TESTS_PER_HOUR): wait ${seconds} seconds.`,
    seconds,
  );
}

/** If the target stays busy or paused, nothing is sent, not even later. */
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
      ? `the receiver requested a pause of ${seconds} more seconds`
      : 'other messages to the same target are being sent; try again in a minute';
  return { kind: 'failed', reason: `The test message was not sent: ${why}.` };
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
    // Tests are not retried.
    next_attempt_at: null,
  };
}
