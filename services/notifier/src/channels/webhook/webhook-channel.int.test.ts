import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { lookup } from 'node:dns/promises';
import { isInternalHost } from '@bomtrail/api-contract';
import {
  badDay,
  eventually,
  startDiscordFake,
  startPagerDutyFake,
  startSignedWebhookFake,
  startSlackFake,
  startTeamsFake,
  type WebhookFake,
  type WebhookFakeOptions,
} from '@bomtrail/testkit';
import { exampleDigest } from '../../testing/example-digest';
import type { Outcome, Target } from '../channel';
import { createChannels, type ChannelDeps } from '../create-channels';

const digest = exampleDigest();
const never = new AbortController().signal;
const secret = `whsec_${'A'.repeat(32)}`;
const services = {
  slack: startSlackFake,
  discord: startDiscordFake,
  teams: startTeamsFake,
  webhook: (options?: WebhookFakeOptions) => startSignedWebhookFake({ ...options, secret }),
  pagerduty: startPagerDutyFake,
};
type Service = keyof typeof services;
const names = Object.keys(services) as Service[];
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function fakeOf(name: Service, options?: WebhookFakeOptions): Promise<WebhookFake> {
  const fake = await services[name](options);
  stops.push(() => fake.stop());
  return fake;
}

async function serverWith(
  listener: RequestListener,
): Promise<{ url: string; calls: () => number }> {
  let calls = 0;
  const server: Server = createServer((request, response) => {
    calls += 1;
    listener(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/secret-path`, calls: () => calls };
}

interface Setting {
  own?: unknown;
  deployment?: string;
  anyAddress?: boolean;
  deps?: ChannelDeps;
}

function targetOf(channel: Service, set: Setting): Target | { unconfigured: string } {
  const email = { server: undefined, from: undefined, recipients: [], domains: [] };
  const channels = createChannels(
    {
      email,
      slackUrl: set.deployment,
      discordUrl: set.deployment,
      teamsUrl: set.deployment,
      signedWebhook: { url: set.deployment, secrets: [secret] },
      ...(set.deployment === undefined
        ? {}
        : { pagerduty: { eventsUrl: set.deployment, routingKey: 'R0'.repeat(16) } }),
      anyAddress: set.anyAddress ?? false,
    },
    set.deps,
  );
  const config = set.own === undefined ? {} : { webhook_url: set.own };
  return channels[channel].targetOf({ id: 'rule', config });
}

function sent(channel: Service, set: Setting, signal = never): Promise<Outcome> {
  const target = targetOf(channel, set);
  if ('unconfigured' in target) throw new Error(target.unconfigured);
  return target.send(digest, signal);
}

function reasonOf(outcome: Outcome): string {
  return outcome.kind === 'failed' ? outcome.reason : outcome.kind;
}

describe.each(names)('a message to %s', (channel) => {
  test('arrives as the service takes it, at the deployment’s webhook or at the rule’s own', async () => {
    // Its rules have keys, not addresses.
    if (channel === 'pagerduty') return;
    const fake = await fakeOf(channel);
    expect(await sent(channel, { deployment: fake.url('all') })).toEqual({ kind: 'sent' });
    const own = { own: fake.url('own'), deployment: fake.url('all'), anyAddress: true };
    expect(await sent(channel, own)).toEqual({ kind: 'sent' });
    expect(fake.accepted.map((message) => message.channel)).toEqual(['all', 'own']);
    expect(fake.refused).toEqual([]);
  });

  test.each(['seconds', 'date'] as const)(
    'says how long a 429 with %s asks to wait',
    async (as) => {
      const limits = { faults: { limited: 1 }, retryAfterSeconds: 7, retryAfterAs: as };
      const fake = await fakeOf(channel, limits);
      const outcome = await sent(channel, { deployment: fake.url() });
      expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('429') });
      const wait = outcome.kind === 'failed' ? outcome.retryAfterMs : undefined;
      expect(wait).toBeGreaterThan(5_000);
      expect(wait).toBeLessThanOrEqual(8_000);
      expect(fake.accepted).toEqual([]);
    },
  );

  test('requests no pause if a 429 has none', async () => {
    const fake = await fakeOf(channel, { faults: { limitedMutely: 1 } });
    const outcome = await sent(channel, { deployment: fake.url() });
    expect(outcome).toEqual({ kind: 'failed', reason: expect.stringContaining('429') });
  });

  test('has failed after a 500, in words that hold no address', async () => {
    const fake = await fakeOf(channel, { faults: { failing: 1 } });
    const reason = reasonOf(await sent(channel, { deployment: fake.url('secret-path') }));
    expect(reason).toContain('500');
    expect(reason).not.toMatch(/secret-path|127\.0\.0\.1/);
  });

  test('has failed on timeout or abort', async () => {
    const fake = await fakeOf(channel, { faults: { hanging: 1 } });
    const late = await sent(channel, { deployment: fake.url(), deps: { timeoutMs: 50 } });
    expect(reasonOf(late)).toMatch(/timed out/);
    const ended = sent(channel, { deployment: fake.url() }, AbortSignal.timeout(50));
    expect(reasonOf(await ended)).toMatch(/was aborted/);
    expect(reasonOf(await sent(channel, { deployment: fake.url() }, AbortSignal.abort()))).toMatch(
      /was aborted/,
    );
  });

  test('has failed when the connection is cut or cannot be made', async () => {
    const fake = await fakeOf(channel, { faults: { cutAfter: 1 } });
    expect(reasonOf(await sent(channel, { deployment: fake.url() }))).toMatch(/ECONNRESET/);
    await fake.stop();
    stops.splice(0);
    const reason = reasonOf(await sent(channel, { deployment: fake.url('secret-path') }));
    expect(reason).toMatch(/is unreachable \(ECONNREFUSED\)/);
    expect(reason).not.toMatch(/secret-path|127\.0\.0\.1/);
  });
});

test.each(names)(
  'on a bad day of %s a message counts as sent when it was taken, and never else',
  async (channel) => {
    const fake = await fakeOf(channel, {
      faults: { ...badDay, hanging: 0.05 },
      // Each call is drawn for: none comes too early.
      retryAfterSeconds: 0,
    });
    // Long enough that nothing but what hangs is late; so it hangs only once.
    const set = { deployment: fake.url(), deps: { timeoutMs: 2_000 } };
    const outcomes: Outcome[] = [];
    while (outcomes.length < 100) {
      outcomes.push(await sent(channel, set));
      if (fake.counts.hanging > 0) fake.setFaults({ ...badDay, hanging: 0 });
    }
    const taken = outcomes.filter(({ kind }) => kind === 'sent').length;
    expect(fake.accepted).toHaveLength(taken);
    expect(taken).toBe(fake.counts.served);
    expect(fake.refused).toEqual([]);
    expect(fake.counts.limited * fake.counts.failing * fake.counts.hanging).toBeGreaterThan(0);
  },
);

test('Discord responds only after the message is stored', async () => {
  let query: string | undefined;
  const { url } = await serverWith((request, response) => {
    query = request.url;
    response.writeHead(200).end('{}');
  });
  await sent('discord', { deployment: `${url}?thread_id=5` });
  expect(query).toBe('/secret-path?thread_id=5&wait=true');
});

test('a redirect is not followed, wherever it leads', async () => {
  const aim = await serverWith((_request, response) => response.end('ok'));
  for (const status of [301, 302, 303, 307, 308]) {
    const from = await serverWith((_request, response) => {
      response.writeHead(status, { Location: aim.url }).end();
    });
    const set = { own: from.url, anyAddress: true };
    expect(reasonOf(await sent('slack', set))).toMatch(/redirects are not followed/);
    expect(reasonOf(await sent('slack', { deployment: from.url }))).toMatch(/not followed/);
  }
  expect(aim.calls()).toBe(0);
});

test('only the beginning of an endless response is read', async () => {
  const chunk = Buffer.alloc(64 * 1024, 120);
  let closed = false;
  const { url } = await serverWith((_request, response) => {
    const more = () => {
      while (response.write(chunk));
    };
    response
      .writeHead(404)
      .on('drain', more)
      .on('close', () => {
        closed = true;
      });
    more();
  });
  // Far longer than the test may take: it is the reader who ends it.
  const deps = { timeoutMs: 600_000 };
  const outcome = await sent('slack', { deployment: url, deps });
  expect(reasonOf(outcome)).toBe('Slack answered 404.');
  await eventually(() => closed, { what: 'the connection is closed' });
});

test('a success status counts as sent, even without the end of the body', async () => {
  const { url } = await serverWith((_request, response) => {
    response.writeHead(200).write('o');
  });
  const outcome = await sent('slack', { deployment: url, deps: { timeoutMs: 600_000 } });
  expect(outcome).toEqual({ kind: 'sent' });
});

test('a deleted webhook requests no pause, despite its rate limit headers', async () => {
  const fake = await fakeOf('discord');
  const gone = new URL('/api/webhooks/', fake.url()).href;
  expect(await sent('discord', { deployment: gone })).toEqual({
    kind: 'failed',
    reason: 'Discord answered 404 (code 10015).',
  });
});

test.each(['Upgrade: x\r\nConnection: Upgrade\r\n', ''])(
  'a switch to another protocol is a failure (%j)',
  async (headers) => {
    const { url } = await serverWith((request) => {
      request.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
    });
    const deps = { timeoutMs: 600_000 };
    const outcome = await sent('slack', { deployment: url, deps });
    expect(reasonOf(outcome)).toMatch(/^Slack answered 101/);
  },
);

test('a response that offers another protocol is handled like others', async () => {
  const offer = { Upgrade: 'h2', Connection: 'Upgrade' };
  const { url } = await serverWith((_request, response) => response.writeHead(200, offer).end());
  expect(await sent('slack', { deployment: url })).toEqual({ kind: 'sent' });
});

test('the reason contains only the error code of a response', async () => {
  const bodies = ['no_service', '{"code": 10015, "message": "Unknown Webhook"}', 'root:x:0:0'];
  const reasons: string[] = [];
  for (const body of bodies) {
    const { url } = await serverWith((_request, response) => response.writeHead(403).end(body));
    reasons.push(reasonOf(await sent('slack', { deployment: url })));
    reasons.push(reasonOf(await sent('discord', { deployment: url })));
  }
  expect(reasons).toEqual([
    'Slack answered 403 (no_service).',
    'Discord answered 403.',
    'Slack answered 403.',
    'Discord answered 403 (code 10015).',
    'Slack answered 403.',
    'Discord answered 403.',
  ]);
});

describe("a rule's own webhook", () => {
  test.each([
    'http://chat.example/x',
    'https://localhost/secret-path',
    'https://127.0.0.1/secret-path',
    'https://169.254.169.254/secret-path',
    'https://[::ffff:10.0.0.1]/secret-path',
    'https://user:secret-path@chat.example/',
    'file:///etc/secret-path',
    '',
    7,
    ['https://chat.example/secret-path'],
  ])('%j is no place to send to', (own) => {
    const target = targetOf('slack', { own, deployment: 'https://chat.example/all' });
    expect(target).toMatchObject({ unconfigured: expect.stringContaining('not allowed') });
    expect(JSON.stringify(target)).not.toContain('secret-path');
  });

  test('is the deployment’s when it is null', () => {
    const deployment = 'https://chat.example/all';
    const [own, none] = [
      targetOf('slack', { own: null, deployment }),
      targetOf('slack', { deployment }),
    ];
    expect((own as Target).key).toBe((none as Target).key);
  });

  test('a name that resolves to an internal address is not connected to', async () => {
    const server = await serverWith((_request, response) => response.end('ok'));
    const { port } = new URL(server.url);
    const names: string[] = [];
    const deps: ChannelDeps = {
      resolve: (name, _options, done) => {
        names.push(name);
        done(null, [{ address: '127.0.0.1', family: 4 }]);
      },
    };
    const own = `https://chat.example:${port}/secret-path`;
    const reason = reasonOf(await sent('slack', { own, deps }));
    expect(reason).toMatch(/resolves to an internal address/);
    expect(reason).not.toMatch(/secret-path|127\.0\.0\.1|chat\.example/);
    expect(names).toEqual(['chat.example']);
    expect(server.calls()).toBe(0);
  });

  test('a name that never resolves times out', async () => {
    const deps: ChannelDeps = { resolve: () => undefined, timeoutMs: 50 };
    const outcome = await sent('discord', { own: 'https://chat.example/x', deps });
    expect(reasonOf(outcome)).toMatch(/timed out/);
  });

  test('this machine’s own name is not connected to where it has an internal address', async () => {
    const own = await lookup(hostname()).catch(() => undefined);
    if (own === undefined || !isInternalHost(own.address)) return;
    const outcome = await sent('slack', { own: `https://${hostname()}/x` });
    expect(reasonOf(outcome)).toMatch(/internal address/);
  });
});

test('equal webhooks have equal target keys, which reveal nothing', () => {
  const [one, same, other] = ['secret-path', 'secret-path', 'other'].map((path) =>
    targetOf('slack', { own: `https://chat.example/${path}` }),
  ) as [Target, Target, Target];
  expect(one.key).toBe(same.key);
  expect(one.key).not.toBe(other.key);
  expect(one.key).not.toContain('secret-path');
});

test('without any webhook the reason names the setting', () => {
  expect(targetOf('slack', {})).toEqual({
    unconfigured: 'SLACK_WEBHOOK_URL is not set, and the rule has no webhook_url.',
  });
  expect(targetOf('teams', {})).toEqual({
    unconfigured: 'TEAMS_WEBHOOK_URL is not set, and the rule has no webhook_url.',
  });
  expect(targetOf('webhook', {})).toEqual({
    unconfigured: 'ALERT_WEBHOOK_URL is not set, and the rule has no webhook_url.',
  });
  expect(targetOf('discord', {})).toEqual({
    unconfigured: 'DISCORD_WEBHOOK_URL is not set, and the rule has no webhook_url.',
  });
});
