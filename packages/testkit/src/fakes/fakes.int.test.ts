import { startDiscordFake } from './discord-fake';
import { startSlackFake } from './slack-fake';

const slackMessage = { text: 'x', blocks: [{ type: 'divider' }] };

function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

test('a fake keeps what it takes and says what it does not', async () => {
  const fake = await startSlackFake();
  try {
    expect((await post(fake.url('a'), slackMessage)).status).toBe(200);
    expect((await post(fake.url('a'), { text: 'x' })).status).toBe(400);
    expect((await fetch(fake.url('a'))).status).toBe(404);
    expect(fake.accepted).toMatchObject([{ channel: 'a', body: slackMessage }]);
    expect(fake.refused).toEqual(['blocks: no list']);
    expect(fake.counts).toMatchObject({ served: 1, refused: 1 });
  } finally {
    await fake.stop();
  }
});

test('after a 429 its channel takes nothing until the time is over, and others do', async () => {
  const fake = await startDiscordFake({ faults: { limited: 1 }, retryAfterSeconds: 60 });
  const message = { embeds: [{ title: 'x' }], allowed_mentions: { parse: [] } };
  try {
    const limited = await post(fake.url('a'), message);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await limited.json()).toMatchObject({ retry_after: 60 });
    expect(limited.headers.get('x-ratelimit-reset-after')).toBe('60');
    fake.setFaults({});
    expect((await post(fake.url('a'), message)).status).toBe(429);
    expect((await post(fake.url('b'), message)).status).toBe(204);
    expect(fake.counts).toMatchObject({ limited: 1, early: 1, served: 1 });
  } finally {
    await fake.stop();
  }
});

test('Discord’s answers say what is left of the limit, and with wait=true they hold the message', async () => {
  const fake = await startDiscordFake();
  const message = { embeds: [{ title: 'x' }], allowed_mentions: { parse: [] } };
  try {
    const waited = await post(`${fake.url()}?wait=true`, message);
    expect([waited.status, typeof (await waited.json())]).toEqual([200, 'object']);
    const unwaited = await post(fake.url(), message);
    expect([unwaited.status, await unwaited.text()]).toEqual([204, '']);
    const unknown = await post(new URL('/api/webhooks/', fake.url()).href, message);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toEqual({ message: 'Unknown Webhook', code: 10015 });
    for (const { headers } of [waited, unwaited, unknown]) {
      const said = ['limit', 'remaining', 'reset-after'].map((of) =>
        headers.get(`x-ratelimit-${of}`),
      );
      expect(said).toEqual(['5', '4', '1']);
    }
  } finally {
    await fake.stop();
  }
});

test.each([startSlackFake, startDiscordFake])('a 429 can be mute (%p)', async (start) => {
  const fake = await start({ faults: { limitedMutely: 1 } });
  try {
    const limited = await post(fake.url(), {});
    expect([limited.status, await limited.text()]).toEqual([429, '']);
    expect([...limited.headers.keys()].filter((name) => /retry|limit/.test(name))).toEqual([]);
    expect(fake.counts.limitedMutely).toBe(1);
  } finally {
    await fake.stop();
  }
});
