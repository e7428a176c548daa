import type { Outcome, Target } from '../channels/channel';
import type { Digest } from '../domain/digest';
import { sendOnce } from './send-once';

const digest = {} as Digest;
const open = new AbortController().signal;
const targetThat = (send: Target['send']): Target => ({ key: 'a', receivers: ['a'], send });
const never = () => new Promise<Outcome>(() => {});

test('an attempt returns the outcome of the channel', async () => {
  const sent = targetThat(async () => ({ kind: 'sent' }));
  expect(await sendOnce(sent, digest, open)).toEqual({ kind: 'sent' });
});

test('an attempt ends when it is to end, whatever the channel does', async () => {
  const over = new AbortController();
  const attempt = sendOnce(targetThat(never), digest, over.signal);
  over.abort();
  expect(await attempt).toMatchObject({ kind: 'failed' });
  expect(await sendOnce(targetThat(never), digest, over.signal)).toMatchObject({ kind: 'failed' });
});

test('a channel that throws has failed, and its error, which may hold a secret, is not shown', async () => {
  const broken = targetThat(() => Promise.reject(new Error('https://hooks.example/secret')));
  const outcome = await sendOnce(broken, digest, open);
  expect(outcome.kind).toBe('failed');
  expect(JSON.stringify(outcome)).not.toContain('secret');
});
