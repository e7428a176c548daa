import type { NamedAlertRule } from '@bomtrail/messages';
import { createKeyedMutex } from '@bomtrail/concurrency';
import type { Outcome, Target } from '../channels/channel';
import type { AlertRuleDocument, DeliveryDocument } from '../store/documents';
import { channelsAs } from '../testing/recording-channels';
import { testAlertRule, type Lanes, type TestAlertRuleDeps } from './test-alert-rule';

const named: NamedAlertRule = { alert_id: 'r', of_project: null };
const now = new Date('2026-03-03T08:06:00Z');
const rule: AlertRuleDocument = {
  _id: 'r',
  project_id: 'p',
  severity_threshold: 'high',
  by_severity: true,
  kev: false,
  min_epss: null,
  notification_type: 'slack',
  config: '{"webhook_url":"https://chat.example.org/s3cret"}',
  enabled: false,
  created_at: now,
  updated_at: null,
};
const shortTimes = { waitMs: 20, sendMs: 20 };

/** A rule whose channel does what the test says. */
function harness(send: Target['send'], lanes: Partial<Lanes> = {}) {
  const recorded: DeliveryDocument[] = [];
  const pauses: [key: string, ms: number][] = [];
  const withKey = createKeyedMutex();
  const channel = {
    preview: () => '',
    targetOf: () => ({ key: 'place', receivers: ['one', 'other'], send }),
  };
  const deps: TestAlertRuleDeps = {
    rules: { claimTest: async () => rule },
    deliveries: { insert: async (delivery) => void recorded.push(delivery) },
    channels: channelsAs(channel),
    request: (async () => ({
      body: { name: 'Web Shop' },
    })) as unknown as TestAlertRuleDeps['request'],
    findingsUrl: undefined,
    testBudget: { take: async () => 0 },
    testsPerHour: 20,
    lanes: {
      run: (key, work) => withKey(key, work),
      pause: (...pause) => void pauses.push(pause),
      pauseLeft: () => 0,
      ...lanes,
    },
    now: () => now,
  };
  return { deps, recorded, pauses, withKey };
}

test('a message that went out is sent, with what was wrong all the same', async () => {
  const outcomes: Outcome[] = [{ kind: 'sent' }, { kind: 'sent', note: 'One of two was refused.' }];
  for (const outcome of outcomes) {
    const { deps, recorded } = harness(async () => outcome);
    const answered = await testAlertRule(deps, named);
    const reason = outcome.kind === 'sent' ? (outcome.note ?? null) : null;
    expect(answered).toMatchObject({ kind: 'test', outcome: 'sent', reason, channel: 'slack' });
    expect(recorded).toMatchObject([{ _id: answered.id, rule_id: 'r', project_id: 'p', reason }]);
  }
});

test('a pause requested by a target applies to alerts too', async () => {
  const outcome: Outcome = { kind: 'failed', reason: 'Slack answered 429.', retryAfterMs: 7_000 };
  const { deps, pauses } = harness(async () => outcome);
  const answered = await testAlertRule(deps, named);
  expect(answered).toMatchObject({
    outcome: 'failed',
    reason: 'Slack answered 429.',
    next_attempt_at: null,
  });
  expect(pauses).toEqual([['place', 7_000]]);
});

test('a paused target gets no test message, and the reason has the remaining time', async () => {
  const { deps, recorded } = harness(() => Promise.reject(new Error('not to be sent')), {
    pauseLeft: () => 41_001,
  });
  const reason = expect.stringMatching(/pause of 42 more seconds/);
  expect(await testAlertRule(deps, named)).toMatchObject({ outcome: 'failed', reason });
  expect(recorded).toHaveLength(1);
});

test('nothing is sent over the limit, and the error has the time to wait', async () => {
  const { deps, recorded } = harness(() => Promise.reject(new Error('not to be sent')));
  const query: (readonly string[])[] = [];
  deps.testBudget.take = async (names) => query.push(names) * 40;
  const tested = testAlertRule(deps, { ...named, key_id: 'k' });
  await expect(tested).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 40 });
  await expect(testAlertRule(deps, named)).rejects.toThrow(/20 tests per hour .* wait 80 seconds/);
  const always = ['test project p', 'test receiver one', 'test receiver other'];
  expect(query).toEqual([['test key k', ...always], always]);
  expect(recorded).toEqual([]);
});

test('a channel that never responds fails the test', async () => {
  const { deps } = harness(() => new Promise(() => {}));
  const answered = await testAlertRule(deps, named, shortTimes);
  expect(answered).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/timed out/) });
});

test('nothing is sent, not even later, while alerts to the same target take too long', async () => {
  let sent = 0;
  const { deps, recorded, withKey } = harness(async () => {
    sent += 1;
    return { kind: 'sent' };
  });
  let end = (): void => {};
  const alert = withKey('place', () => new Promise<void>((resolve) => (end = resolve)));
  deps.lanes.run = (key, work, signal) =>
    withKey(key, async () => {
      signal.throwIfAborted();
      return work();
    });
  const answered = await testAlertRule(deps, named, shortTimes);
  expect(answered).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(/same target/),
  });
  expect(recorded).toHaveLength(1);
  end();
  await alert;
  await withKey('place', async () => undefined);
  expect(sent).toBe(0);
});

test('a fault of the lanes is none of the channel, and is thrown', async () => {
  const run = async () => Promise.reject(new TypeError('broken'));
  const { deps, recorded } = harness(async () => ({ kind: 'sent' }), { run });
  await expect(testAlertRule(deps, named)).rejects.toThrow('broken');
  expect(recorded).toEqual([]);
});
