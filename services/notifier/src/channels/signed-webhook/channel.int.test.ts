import { startSignedWebhookFake, type WebhookFake } from '@bomtrail/testkit';
import { exampleDigest } from '../../testing/example-digest';
import type { Target } from '../channel';
import { createChannels } from '../create-channels';

const ofDeployment = `whsec_${'A'.repeat(32)}`;
const ofRule = `whsec_${'B'.repeat(32)}`;
const never = new AbortController().signal;
const fakes: WebhookFake[] = [];

afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.stop();
});

async function receiver(secret: string): Promise<WebhookFake> {
  const fake = await startSignedWebhookFake({ secret });
  fakes.push(fake);
  return fake;
}

function targetOf(
  config: Record<string, unknown>,
  signedWebhook: { url: string | undefined; secrets: string[] },
) {
  const email = { server: undefined, from: undefined, recipients: [], domains: [] };
  const urls = { slackUrl: undefined, discordUrl: undefined, anyAddress: true };
  return createChannels({ email, ...urls, signedWebhook }).webhook.targetOf({ id: 'r', config });
}

const sent = (target: ReturnType<typeof targetOf>, at?: string) =>
  (target as Target).send({ ...exampleDigest(), ...(at ? { at } : {}) }, never);

test('AL7 a retry is signed anew, with the same id', async () => {
  const fake = await receiver(ofDeployment);
  const target = targetOf({}, { url: fake.url(), secrets: [ofDeployment] });
  expect(await sent(target)).toEqual({ kind: 'sent' });
  expect(await sent(target, '2026-03-01T10:00:00.000Z')).toEqual({ kind: 'sent' });
  const [first, again] = fake.accepted.map(({ body }) => body as { id: string; at: string });
  expect(again?.id).toBe(first?.id);
  expect(again?.at).not.toBe(first?.at);
});

test('AL8 a rule’s own webhook is signed with its own key, or with that of the deployment', async () => {
  const [own, other] = [await receiver(ofRule), await receiver(ofDeployment)];
  const deployment = { url: other.url('all'), secrets: [ofDeployment] };
  const ownKey = { webhook_url: own.url('own'), webhook_secret: ofRule };
  expect(await sent(targetOf(ownKey, deployment))).toEqual({ kind: 'sent' });
  expect(await sent(targetOf({ webhook_url: other.url('own') }, deployment))).toEqual({
    kind: 'sent',
  });
  // The default webhook does not know the key of the rule.
  const lost = { webhook_secret: ofRule, webhook_url: null };
  expect(await sent(targetOf(lost, deployment))).toEqual({ kind: 'sent' });
  expect(other.accepted.map(({ channel }) => channel)).toEqual(['own', 'all']);
});

test('while keys change, receivers with the old and the new one accept', async () => {
  const [old, next] = [await receiver(ofDeployment), await receiver(ofRule)];
  for (const fake of [old, next]) {
    const both = { url: fake.url(), secrets: [ofDeployment, ofRule] };
    expect(await sent(targetOf({}, both))).toEqual({ kind: 'sent' });
  }
});

test('a message that is signed with another key is refused by its receiver', async () => {
  const fake = await receiver(ofRule);
  const target = targetOf({}, { url: fake.url(), secrets: [ofDeployment] });
  expect(await sent(target)).toEqual({ kind: 'failed', reason: 'The webhook answered 400.' });
});

test('nothing is sent unsigned', () => {
  const none = { url: 'https://tracker.example/hook', secrets: [] };
  const webhook_url = 'https://tracker.example/own';
  expect(targetOf({}, none)).toEqual({ unconfigured: 'ALERT_WEBHOOK_SECRET is not set.' });
  expect(targetOf({ webhook_url }, none)).toEqual({
    unconfigured: 'ALERT_WEBHOOK_SECRET is not set, and the rule has no webhook_secret.',
  });
  expect(targetOf({ webhook_url, webhook_secret: 's3cret' }, none)).toEqual({
    unconfigured: 'The webhook_secret of the rule is not valid: change the rule.',
  });
});
