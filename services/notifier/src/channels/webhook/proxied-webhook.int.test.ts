import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { readProxies, type Proxies } from '@bomtrail/outbound';
import {
  makeCertificate,
  startForwardProxy,
  startSlackFake,
  type ForwardProxy,
} from '@bomtrail/testkit';
import { exampleDigest } from '../../testing/example-digest';
import type { Outcome } from '../channel';
import { createChannels, type ChannelDeps } from '../create-channels';

const stops: (() => Promise<unknown>)[] = [];
let proxy: ForwardProxy;

beforeAll(async () => {
  proxy = await startForwardProxy();
});
beforeEach(() => {
  proxy.seen.length = 0;
});
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));
afterAll(() => proxy?.stop());

const through = (url: string, direct = ''): Proxies =>
  readProxies({ HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: direct });

async function sent(
  proxies: Proxies,
  webhook: { own?: string; deployment?: string },
  deps: ChannelDeps = {},
): Promise<Outcome> {
  const email = { server: undefined, from: undefined, recipients: [], domains: [] };
  const urls = { slackUrl: webhook.deployment, discordUrl: undefined };
  const channels = createChannels({ email, ...urls, anyAddress: false, proxies }, deps);
  const config = webhook.own === undefined ? {} : { webhook_url: webhook.own };
  const target = channels.slack.targetOf({ id: 'rule', config });
  if ('unconfigured' in target) throw new Error(target.unconfigured);
  return target.send(exampleDigest(), new AbortController().signal);
}

const resolving = (address: string): ChannelDeps => ({
  resolve: (_name, _options, callback) => callback(null, [{ address, family: 4 }]),
});

/** A proxy that leads every tunnel to this port, or refuses it. */
async function leadingProxy(to: number | null): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.on('error', () => {});
    if (to === null) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const onward = connect(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    stops.push(async () => void socket.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  stops.push(async () => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const publicAddress = '93.184.216.34';

test('the webhook of the deployment is posted through a proxy with a password, or past it', async () => {
  const fake = await startSlackFake();
  stops.push(() => fake.stop());
  const { host } = new URL(fake.url());
  expect(await sent(through(proxy.url), { deployment: fake.url() })).toEqual({ kind: 'sent' });
  expect(proxy.seen).toEqual([host]);
  const past = through(proxy.url, '127.0.0.1');
  expect(await sent(past, { deployment: fake.url() })).toEqual({ kind: 'sent' });
  expect([proxy.seen, fake.accepted.length]).toEqual([[host], 2]);
  const refused = await sent(through(proxy.urlOf('')), { deployment: fake.url() });
  expect(refused).toEqual({
    kind: 'failed',
    reason: 'The proxy opened no tunnel to Slack (status 407).',
  });
});

test('a receiver that only the proxy can find is reached, by its name', async () => {
  const fake = await startSlackFake();
  stops.push(() => fake.stop());
  const real = new URL(fake.url());
  const { url, asked } = await leadingProxy(Number(real.port));
  const deployment = `http://slack.inner.example:8080${real.pathname}`;
  expect(await sent(through(url), { deployment })).toEqual({ kind: 'sent' });
  expect([asked, fake.accepted.length]).toEqual([['slack.inner.example:8080'], 1]);
});

test('of a rule, the proxy gets the checked address, not a name that it would resolve again', async () => {
  const { url, asked } = await leadingProxy(null);
  const own = 'https://hooks.example.org/x';
  const outcome = await sent(through(url), { own }, resolving(publicAddress));
  expect(asked).toEqual([`${publicAddress}:443`]);
  expect(outcome).toMatchObject({ reason: expect.stringContaining('(status 403)') });
});

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254'])(
  'a name that resolves to %s reaches no proxy',
  async (address) => {
    const { url, asked } = await leadingProxy(null);
    const own = 'https://hooks.example.org/x';
    const outcome = await sent(through(url), { own }, resolving(address));
    expect(outcome).toMatchObject({ reason: expect.stringContaining('internal address') });
    expect(asked).toEqual([]);
  },
);

test('whoever the tunnel leads to, the certificate must be that of the name', async () => {
  const { crt: cert, key } = await makeCertificate('localhost');
  let calls = 0;
  const receiver = createTlsServer({ cert, key }, (_request, response) => {
    calls += 1;
    response.end('ok');
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  stops.push(async () => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const { url } = await leadingProxy((receiver.address() as AddressInfo).port);
  const own = 'https://hooks.example.org/x';
  const outcome = await sent(through(url), { own }, resolving(publicAddress));
  expect(outcome).toMatchObject({
    kind: 'failed',
    reason: expect.stringMatching(/DEPTH_ZERO_SELF_SIGNED_CERT|ALTNAME/),
  });
  expect(calls).toBe(0);
});
