import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import { inboxOf } from '@bomtrail/messages';
import { busAccess } from '@bomtrail/messaging';
import {
  eventually,
  startMailSink,
  startSlackFake,
  type MailSink,
  type WebhookFake,
} from '@bomtrail/testkit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { createAlertCalls } from './support/alerts/alert-calls';
import { npmDocument } from './support/examples';
import { startLockedServers, type LockedServers } from './support/locked-servers';
import { repositoryRoot } from './support/real-data';
import { linesWithSecrets, passwordMark, webhookSecret } from './support/secrets-in-logs';
import { startTestStack, type TestStack } from './support/test-stack';

const gatewayProgram = path.join(repositoryRoot, 'services', 'gateway', 'dist', 'main.js');

let servers: LockedServers;
let slack: WebhookFake;
let mail: MailSink;
let running: TestStack;

beforeAll(async () => {
  [servers, slack, mail] = await Promise.all([
    startLockedServers(),
    startSlackFake(),
    startMailSink({ account: { username: 'somebody', password: 'else' } }),
  ]);
  running = await startTestStack({
    env: {
      MONGODB_URI: servers.mongoUri,
      NATS_URL: servers.natsUrl,
      ALERT_CHECK_INTERVAL_SECONDS: '1',
      SLACK_WEBHOOK_URL: slack.url(webhookSecret),
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(mail.port),
      SMTP_TLS: 'none',
      SMTP_USERNAME: 'bomtrail',
      SMTP_PASSWORD: `smtp${passwordMark}`,
      SMTP_FROM: 'alerts@example.org',
      ALERT_EMAIL_TO: 'people@example.org',
    },
    serviceEnv: servers.serviceEnv,
  });
});
afterAll(async () => {
  await running?.stop();
  await slack?.stop();
  await mail?.stop();
  await servers?.stop();
});

function deleting(apiKey: string): RequestInit {
  return { method: 'DELETE', headers: { authorization: `Bearer ${apiKey}` } };
}

function envOf(service: string): Record<string, string> {
  return servers.serviceEnv[service] ?? {};
}

/** Lets a test speak to NATS with the rights of a service. */
async function asService(
  service: 'gateway' | 'notifier',
  use: (nats: NatsConnection) => Promise<void>,
): Promise<void> {
  const nats = await connect(busAccess({ NATS_URL: servers.natsUrl, ...envOf(service) }, service));
  try {
    await use(nats);
  } finally {
    await nats.close();
  }
}

/** What NATS says to a publication that is not let through. */
async function httpErrorOf(nats: NatsConnection, subject: string): Promise<string> {
  const statuses = nats.status()[Symbol.asyncIterator]();
  nats.publish(subject, '{}');
  await nats.flush();
  for (;;) {
    const { value, done } = await statuses.next();
    if (done) return 'nothing';
    if (value.type === 'error') return value.error.message;
  }
}

test('a service without a user of MongoDB ends with one line that names the settings', async () => {
  const { NATS_USER, NATS_PASSWORD } = envOf('notifier');
  const program = path.join(repositoryRoot, 'services', 'notifier', 'dist', 'main.js');
  const ended = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      MONGODB_URI: servers.mongoUri,
      NATS_URL: servers.natsUrl,
      NATS_USER,
      NATS_PASSWORD,
      INTERNAL_HTTP_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  ended.stdout.on('data', (chunk) => (output += String(chunk)));
  expect(await once(ended, 'close')).toEqual([1, null]);
  const lines = output.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'fatal',
    message: 'The service could not start.',
    reason: expect.stringMatching(
      /^MongoDB refuses the user \(.+\): check MONGODB_USERNAME and MONGODB_PASSWORD\.$/,
    ),
  });
});

test('with no more rights than they need the services do all that they do', async () => {
  const { client, target } = running;
  const project = await client.createProject({ name: 'Least rights' });
  const calls = createAlertCalls(target);
  await calls.create({
    name: 'all',
    project_id: project.id,
    severity_threshold: 'low',
    notification_type: 'slack',
    config: {},
  });
  const small = await client.upload({
    project_id: project.id,
    file: npmDocument('small', ['lodash@4.17.0', 'minimist@0.0.8']),
  });
  // Above what fits into a message: it goes through the bucket.
  const names = Array.from({ length: 60_000 }, () => randomBytes(8).toString('hex'));
  const large = await client.upload({
    project_id: project.id,
    service_name: 'large',
    file: npmDocument(
      'large',
      [...names, 'lodash'].map((name) => `${name}@1.0.0`),
    ),
  });
  for (const { id } of [small, large]) await waitForScan(client, id, 60_000);
  expect((await client.summary({ project_id: project.id })).total).toBeGreaterThan(0);
  await eventually(() => slack.accepted.length > 0, { what: 'the alert came' });
  const deleted = `${target.baseUrl}/api/v1/projects/${project.id}`;
  expect((await target.fetch(deleted, deleting(target.apiKey))).status).toBe(204);
  expect(await client.summary({ project_id: project.id })).toMatchObject({ total: 0 });
});

describe('No secret is told', () => {
  test('in metrics, or when a service says how it is', async () => {
    const ports = running.stack.processes().flatMap(({ internalPort }) => internalPort ?? []);
    expect(ports).toHaveLength(6);
    for (const port of ports) {
      for (const path of ['metrics', 'readyz', 'healthz']) {
        const answer = await fetch(`http://127.0.0.1:${port}/${path}`);
        expect(linesWithSecrets(await answer.text())).toEqual([]);
      }
    }
  });

  test('in answers to calls that fail, nor of a rule whose mail server refuses the login', async () => {
    const { target } = running;
    const authorization = { authorization: `Bearer ${target.apiKey}` };
    const { id: project_id } = await running.client.createProject({ name: 'Told nothing' });
    const rule = await createAlertCalls(target).create({
      project_id,
      severity_threshold: 'low',
      notification_type: 'email',
      config: {},
    });
    const calls: [string, RequestInit][] = [
      ['/api/v1/projects', { headers: { authorization: `Bearer ${target.apiKey}x` } }],
      [`/api/v1/projects/${rule}`, { headers: authorization }],
      [`/api/v1/alert-rules/${rule}/test`, { method: 'POST', headers: authorization }],
      [`/api/v1/alert-rules/${rule}/deliveries`, { headers: authorization }],
      ['/api/v1/api-keys', { headers: authorization }],
      ['/readyz', {}],
    ];
    for (const [path, init] of calls) {
      const answer = await target.fetch(`${target.baseUrl}${path}`, init);
      expect(linesWithSecrets(await answer.text())).toEqual([]);
    }
  });

  test.each([
    ['an address that is none', `mongodb://u:mongo${passwordMark}@[x`, 'nats://127.0.0.1:1'],
    ['a wrong password', null, `nats://u:nats${passwordMark}@127.0.0.1:1`],
  ])('by a service that cannot start for %s', async (_why, mongoUri, natsUrl) => {
    const child = spawn(process.execPath, [gatewayProgram], {
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'trace',
        INTERNAL_HTTP_PORT: '0',
        MONGODB_URI: mongoUri ?? servers.mongoUri,
        NATS_URL: natsUrl,
        MONGODB_USERNAME: 'bomtrail-gateway',
        MONGODB_PASSWORD: `wrong${passwordMark}`,
      },
    });
    // It may end by itself, before anybody looks.
    const closed = once(child, 'close');
    let said = '';
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (chunk: Buffer) => (said += chunk.toString()));
    }
    const hasReported = () => /trying again|could not start|MONGODB_URI: /.test(said);
    await eventually(hasReported, { what: 'it says what is wrong' });
    child.kill('SIGKILL');
    await closed;
    expect(linesWithSecrets(said)).toEqual([]);
  });
});

describe('On the bus the notifier', () => {
  test.each([
    ['say that a scan is over', 'scan.completed.v1.upload'],
    ['ask ingest', 'ingest.read-document.v1'],
    ['take a stream away', '$JS.API.STREAM.DELETE.WORK'],
    ['lay dead letters of others', 'dead.scanner-uploads'],
    ['answer the scanner', `${inboxOf('scanner')}.x`],
    ["take another's messages", '$JS.API.CONSUMER.MSG.NEXT.WORK.scanner-uploads'],
  ])('may not %s', async (_what, subject) => {
    await asService('notifier', async (nats) => {
      expect(await httpErrorOf(nats, subject)).toContain('Permissions Violation');
    });
  });

  test.each([`${inboxOf('gateway')}.>`, 'scan.>', 'ingest.accept-upload.v1', '>'])(
    'may not listen to %s',
    async (subject) => {
      await asService('notifier', async (nats) => {
        const heard = nats.subscribe(subject)[Symbol.asyncIterator]().next();
        await expect(heard).rejects.toThrow('Permissions Violation');
      });
    },
  );

  test('is nobody without its password', async () => {
    const settings = { NATS_URL: servers.natsUrl, NATS_USER: 'notifier', NATS_PASSWORD: 'wrong' };
    await expect(connect(busAccess(settings, 'notifier'))).rejects.toThrow('Authorization');
    await expect(connect({ servers: servers.natsUrl })).rejects.toThrow('Authorization');
  });
});

test('the notifier may read and write its own database, and sees no other', async () => {
  const { MONGODB_USERNAME: username = '', MONGODB_PASSWORD: password = '' } = envOf('notifier');
  const client = await new MongoClient(servers.mongoUri, {
    auth: { username, password },
  }).connect();
  const own = client.db('bomtrail_notifier').collection('alert_rules');
  const other = client.db('bomtrail_catalog').collection('projects');
  expect(await own.countDocuments()).toEqual(expect.any(Number));
  await expect(other.findOne()).rejects.toThrow('not authorized');
  await expect(other.insertOne({})).rejects.toThrow('not authorized');
  await expect(client.db('admin').command({ usersInfo: 1 })).rejects.toThrow('not authorized');
  await client.close();
  const nobody = await new MongoClient(servers.mongoUri).connect();
  await expect(nobody.db('bomtrail_notifier').collection('x').findOne()).rejects.toThrow(
    'requires authentication',
  );
  await nobody.close();
});
