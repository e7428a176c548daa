import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { exampleDigest } from '../../testing/example-digest';
import type { Target } from '../channel';
import { createChannels } from '../create-channels';

const program = path.join(__dirname, '../../../../../docs/alerts/tracker-receiver.mjs');
const secret = `whsec_${'A'.repeat(32)}`;
const never = new AbortController().signal;
const issues: { authorization: string | undefined; fields: Record<string, unknown> }[] = [];
let answers: number[] = [];
let tracker: Server;
let receiver: ChildProcess;
let url: string;

beforeAll(async () => {
  tracker = createServer((request, response) => {
    let body = '';
    request
      .on('data', (part) => (body += part))
      .on('end', () => {
        const status = answers.shift() ?? 201;
        const { fields } = JSON.parse(body) as { fields: Record<string, unknown> };
        const { authorization } = request.headers;
        if (status === 201) issues.push({ authorization, fields });
        response.writeHead(status).end('{}');
      });
  });
  await new Promise<void>((ready) => tracker.listen(0, '127.0.0.1', ready));
  const { port } = tracker.address() as AddressInfo;
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    WEBHOOK_SECRET: secret,
    TRACKER_URL: `http://127.0.0.1:${port}/rest/api/2/issue`,
    TRACKER_AUTHORIZATION: 'Basic x',
    TRACKER_PROJECT: 'SEC',
  };
  receiver = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const said = await new Promise<string>((ready) => {
    receiver.stdout?.once('data', (text: Buffer) => ready(text.toString()));
  });
  url = `http://127.0.0.1:${/\d+/.exec(said)?.[0]}/`;
});
afterAll(async () => {
  const ended = new Promise((resolve) => receiver.once('exit', resolve));
  receiver.kill();
  await ended;
  tracker.closeAllConnections();
  await new Promise((closed) => tracker.close(closed));
});
beforeEach(() => {
  issues.length = 0;
  answers = [];
});

function sent(digest: Partial<ReturnType<typeof exampleDigest>>, key = secret) {
  const email = { server: undefined, from: undefined, recipients: [], domains: [] };
  const urls = { slackUrl: undefined, discordUrl: undefined, anyAddress: false };
  const signedWebhook = { url, secrets: [key] };
  const { webhook } = createChannels({ email, ...urls, signedWebhook });
  const target = webhook.targetOf({ id: 'rule', config: {} }) as Target;
  return target.send({ ...exampleDigest(), ...digest }, never);
}

test('the receiver of the recipe opens one issue per message, however often it comes', async () => {
  expect(await sent({ key: 'one' })).toEqual({ kind: 'sent' });
  expect(await sent({ key: 'one', at: '2026-03-01T10:00:00.000Z' })).toEqual({ kind: 'sent' });
  expect(await sent({ key: 'two' })).toEqual({ kind: 'sent' });
  expect(issues).toHaveLength(2);
  expect(issues[0]).toMatchObject({
    authorization: 'Basic x',
    fields: {
      project: { key: 'SEC' },
      summary: '14 new vulnerabilities in Payments',
      description: expect.stringMatching(/^\{noformat\}[^{}]*CVE-2021-44228[^{}]*\{noformat\}$/),
    },
  });
});

test('a tracker that is away leaves the message to be sent again', async () => {
  answers = [503];
  expect(await sent({ key: 'away' })).toEqual({
    kind: 'failed',
    reason: 'The webhook answered 502.',
  });
  expect(await sent({ key: 'away' })).toEqual({ kind: 'sent' });
  expect(issues).toHaveLength(1);
});

test('neither a test nor what another key signed opens an issue', async () => {
  expect(await sent({ kind: 'test' })).toEqual({ kind: 'sent' });
  expect(await sent({ key: 'forged' }, `whsec_${'B'.repeat(32)}`)).toEqual({
    kind: 'failed',
    reason: 'The webhook answered 401.',
  });
  expect(issues).toEqual([]);
});
