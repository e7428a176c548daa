import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import { makeAdvisoryFolder, type AdvisoryFolder } from '@bomtrail/reference-model';
import { eventually, startSlackFake, type WebhookFake } from '@bomtrail/testkit';
import { createAlertCalls } from './support/alerts/alert-calls';
import { notificationCounts } from './support/alerts/notified-names';
import { runCommand } from './support/command';
import { npmDocument } from './support/examples';
import { webhookSecret } from './support/secrets-in-logs';
import { startTestStack, type TestStack } from './support/test-stack';

const patienceMs = 60_000;
const packages = ['first', 'second', 'third', 'fourth'].map((name) => `${name}@1.0.0`);

let folder: AdvisoryFolder;
let slack: WebhookFake;
let parent: string;
let dataDir: string;
let running: TestStack;

beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'bomtrail-e2e-restored-'));
  dataDir = path.join(parent, 'data');
  folder = await makeAdvisoryFolder();
  for (const [n, name] of packages.entries())
    await folder.put({
      id: `CVE-2026-${50_001 + n}`,
      aliases: [],
      affects: [name],
      severity: 'critical',
      withdrawn: false,
    });
  slack = await startSlackFake();
  running = await start();
});

afterAll(async () => {
  await running?.stop();
  await Promise.all([slack?.stop(), folder?.discard()]);
  await rm(parent, { recursive: true, force: true });
});

function start(): Promise<TestStack> {
  const env = {
    BOMTRAIL_ADVISORY_SOURCE: folder.path,
    ALERT_CHECK_INTERVAL_SECONDS: '1',
    SLACK_WEBHOOK_URL: slack.url(webhookSecret),
  };
  return startTestStack({ dataDir, env });
}

async function upload(project_id: string, service_name: string, names: string[]): Promise<string> {
  const version = names.join();
  const file = npmDocument(`${service_name} ${version}`, names);
  return (await running.client.upload({ project_id, service_name, version, file })).id;
}

/** All that a client sees of a project, the bytes of its SBOMs included. */
async function readProject(project_id: string): Promise<object> {
  const { client } = running;
  const history = await client.history(project_id);
  const rows = await client.vulnerabilities({ project_id, per_page: 200 });
  return {
    history,
    rows,
    active: await client.allActive({ project_id }),
    summary: await client.summary({ project_id }),
    acceptances: await client.listAcceptances(project_id),
    services: await client.listServices(project_id),
    timelines: await Promise.all(rows.items.map(({ id }) => client.vulnerability(id))),
    files: await Promise.all(
      history.items.map(async ({ id }) => Buffer.from(await client.download(id)).toString()),
    ),
  };
}

test('a backup that was made beside uploads, and restored where everything was lost, has all that was acknowledged before it; nothing is told twice, and what was under way ends', async () => {
  const { client } = running;
  const notified = (await client.createProject({ name: 'Told' })).id;
  const busy = (await client.createProject({ name: 'Busy' })).id;
  const sent = [
    await upload(notified, 'shop', ['first@1.0.0']),
    await upload(notified, 'shop', ['first@1.0.0', 'second@1.0.0']),
    await upload(notified, 'jobs', ['third@1.0.0']),
  ];
  for (const id of sent) await waitForScan(client, id, patienceMs);
  const rule = { project_id: notified, severity_threshold: 'low', notification_type: 'slack' };
  await createAlertCalls(running.target).create({ ...rule, config: {} });
  const timesOf = (n: number): number =>
    notificationCounts(slack.accepted).get(`CVE-2026-${50_001 + n}`) ?? 0;
  const notifiesOnce = (numbers: number[]): Promise<unknown> =>
    eventually(() => expect(numbers.map(timesOf)).toEqual(numbers.map(() => 1)), {
      what: `${numbers.join()} are told once`,
    });
  await notifiesOnce([0, 1, 2]);
  const third = (await client.allActive({ project_id: notified })).find(
    ({ package_name }) => package_name === 'third',
  );
  await client.accept({
    project_id: notified,
    vulnerability_id: third?.id ?? '',
    reason: 'Not reachable.',
  });
  await client.deleteSbom(sent[0] ?? '');
  const before = await readProject(notified);

  running.stack.kill('scanner', 'SIGSTOP');
  const pending = await Promise.all(
    ['a', 'b', 'c'].map((name) => upload(busy, name, ['first@1.0.0', `${name}@1.0.0`])),
  );
  const state = { done: false, uploads: 0 };
  const beside = (async () => {
    for (; !state.done; state.uploads++) await upload(busy, `beside-${state.uploads}`, ['x@1.0.0']);
  })();
  const backup = path.join(parent, 'backup');
  const made = await runCommand(dataDir, ['backup', '--out', backup]);
  state.done = true;
  await beside;
  expect(made).toMatchObject({ code: 0 });
  expect(state.uploads).toBeGreaterThan(0);
  running.stack.kill('scanner', 'SIGCONT');
  await client.deleteSbom(sent[2] ?? '');
  await upload(notified, 'later', ['y@1.0.0']);
  expect((await runCommand(dataDir, ['restore', '--from', backup])).stderr).toContain(
    'already runs',
  );

  await running.stop();
  await rm(dataDir, { recursive: true });
  const restored = await runCommand(dataDir, ['restore', '--from', backup]);
  expect(restored).toMatchObject({ code: 0 });
  const again = await runCommand(dataDir, ['restore', '--from', backup]);
  expect([again.code, again.stderr.includes('holds data already')]).toEqual([1, true]);
  expect(await readdir(dataDir)).not.toContain('nats');
  running = await start();

  expect(await readProject(notified)).toEqual(before);
  for (const id of pending) await waitForScan(running.client, id, patienceMs);
  const { items } = await running.client.history(busy);
  for (const { id } of items) await waitForScan(running.client, id, patienceMs);
  const listed = await running.client.allActive({ project_id: busy });
  expect(listed.map(({ service_name }) => service_name).sort()).toEqual(['a', 'b', 'c']);
  await waitForScan(running.client, await upload(notified, 'more', ['fourth@1.0.0']), patienceMs);
  await eventually(() => expect(timesOf(3)).toBeGreaterThan(0), {
    what: 'what is new after the restore is told',
  });
  expect([0, 1, 2].map(timesOf)).toEqual([1, 1, 1]);
  const verified = await runCommand(dataDir, ['reconcile', '--verify']);
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.out).toContain('nothing differs');
});
