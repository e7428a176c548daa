import { startPagerDutyFake, type WebhookFake } from '@bomtrail/testkit';
import { exampleDigest } from '../../testing/example-digest';
import type { Target } from '../channel';
import { createChannels } from '../create-channels';

const own = 'R1'.repeat(16);
const ofDeployment = 'R0'.repeat(16);
const never = new AbortController().signal;
let fake: WebhookFake;

beforeAll(async () => {
  fake = await startPagerDutyFake();
});
afterAll(() => fake?.stop());

function targetOf(config: Record<string, unknown>, routingKey: string | undefined = ofDeployment) {
  const email = { server: undefined, from: undefined, recipients: [], domains: [] };
  const pagerduty = { eventsUrl: fake.url(), routingKey };
  const urls = { slackUrl: undefined, discordUrl: undefined, anyAddress: false };
  return createChannels({ email, ...urls, pagerduty }).pagerduty.targetOf({ id: 'rule', config });
}

const keysOf = () => fake.accepted.map(({ body }) => (body as { routing_key: string }).routing_key);

test('AL8 an event goes to the integration of the rule or the default one, never to a webhook_url', async () => {
  const webhook_url = 'https://evil.example/enqueue';
  for (const config of [
    { webhook_url },
    { webhook_url, routing_key: own },
    { routing_key: null },
  ]) {
    const target = targetOf(config) as Target;
    expect(await target.send(exampleDigest(), never)).toEqual({ kind: 'sent' });
  }
  expect(keysOf()).toEqual([ofDeployment, own, ofDeployment]);
});

test('each integration has its own limits, and keys stay secret', () => {
  const [one, other] = [targetOf({}), targetOf({ routing_key: own })] as [Target, Target];
  expect(one.key).not.toBe(other.key);
  expect(JSON.stringify([one, other])).not.toMatch(/R0R0|R1R1/);
});

test('without a key, or with one that is none, nothing is sent', () => {
  const none = createChannels({
    email: { server: undefined, from: undefined, recipients: [], domains: [] },
    slackUrl: undefined,
    discordUrl: undefined,
    anyAddress: false,
  }).pagerduty.targetOf({ id: 'rule', config: {} });
  const reason = 'PAGERDUTY_ROUTING_KEY is not set, and the rule has no routing_key.';
  expect(none).toEqual({ unconfigured: reason });
  for (const routing_key of ['s3cret', 7, '']) {
    const unconfigured = 'The routing_key of the rule is not valid: change the rule.';
    expect(targetOf({ routing_key })).toEqual({ unconfigured });
  }
});

test('a refused event is failed, with the status that PagerDuty names', async () => {
  const target = targetOf({}) as Target;
  const digest = { ...exampleDigest(), at: 'no time' };
  expect(await target.send(digest, never)).toEqual({
    kind: 'failed',
    reason: 'PagerDuty answered 400 (invalid event).',
  });
});
