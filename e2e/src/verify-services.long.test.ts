import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import { MongoClient, type Collection } from 'mongodb';
import { runCommand, type CommandOutcome } from './support/command';
import { npmDocument } from './support/examples';
import { startTestStack, type TestStack } from './support/test-stack';

const scanMs = 30_000;
let running: TestStack;
let mongo: MongoClient;
let rows: Collection<{ _id: string; status: string }>;

beforeAll(async () => {
  running = await startTestStack({});
  const servers = JSON.parse(
    await readFile(path.join(running.dataDir, 'servers.json'), 'utf8'),
  ) as { mongoUri: string };
  mongo = await new MongoClient(servers.mongoUri).connect();
  const { databases } = await mongo.db('admin').admin().listDatabases({ nameOnly: true });
  const own = databases.find(({ name }) => name.endsWith('reconciler'));
  rows = mongo.db(own?.name).collection('tracked_vulnerabilities');
});

afterAll(async () => {
  await mongo?.close();
  await running?.stop();
});

function reconcile(args: string[], dataDir = running.dataDir): Promise<CommandOutcome> {
  return runCommand(dataDir, ['reconcile', ...args]);
}

test('reconcile reports no difference beside uploads, reports a corrupted vulnerability, and repairs it', async () => {
  const { client } = running;
  const project = await client.createProject({ name: 'Checked' });
  const uploads = ['4.17.15', '4.17.16', '4.17.20', '4.17.21'].flatMap((version) =>
    ['shop', 'api', 'jobs'].map((service_name) => ({
      project_id: project.id,
      service_name,
      version,
      file: npmDocument(service_name, [`lodash@${version}`, 'minimist@0.0.8']),
    })),
  );
  const uploading = (async () => {
    const ids: string[] = [];
    for (const upload of uploads) ids.push((await client.upload(upload)).id);
    return ids;
  })();
  const [beside, ids] = await Promise.all([reconcile(['--verify']), uploading]);
  expect([beside.code, beside.stderr]).toEqual([0, '']);
  expect(beside.out).toMatch(/^\d+ services? checked: nothing differs\.$/);
  for (const id of ids) await waitForScan(client, id, scanMs);

  const [row] = await client.allActive({ project_id: project.id });
  const service = row?.service_id ?? '';
  await rows.updateOne({ _id: row?.id ?? '' }, { $set: { status: 'fixed' } });
  const found = await reconcile(['--verify', '--project', project.slug]);
  expect(found.code).toBe(1);
  const [difference = '', counters, summary] = found.out.split('\n');
  expect(difference).toContain(
    `Checked / ${row?.service_name} (${service}): vulnerability-differs: npm|`,
  );
  expect(difference).toContain(`(${row?.id}) is stored as: status fixed; should be: status open`);
  expect(counters).toContain('counters-differ');
  expect(summary).toBe('3 services checked: 2 differences in 1 service, 0 repaired.');

  const repaired = await reconcile(['--verify', '--repair', '--service', service, '--json']);
  expect(repaired.code).toBe(1);
  expect(repaired.out.split('\n').map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      type: 'difference',
      service_id: service,
      id: row?.id,
      repair: { did: 'recomputed', left: 0 },
    },
    { type: 'difference', service_id: service, repair: { did: 'recomputed', left: 0 } },
    { type: 'summary', services: 1, differing: 1, repaired: 1, undecided: 0 },
  ]);
  expect((await reconcile(['--verify'])).code).toBe(0);
  expect((await client.allActive({ project_id: project.id })).map(({ id }) => id)).toContain(
    row?.id,
  );
});

test('the check says what is wrong with how it was called, or what is not there, by its exit code', async () => {
  const unknown = await reconcile(['--verify', '--project', 'nothing']);
  expect([unknown.code, unknown.out]).toEqual([2, '']);
  expect(unknown.stderr).toMatch(/^There is no project nothing\.\nUsage: npm run reconcile/);
  const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-e2e-'));
  const { code, stderr } = await reconcile(['--verify'], folder);
  expect(code).toBe(3);
  expect(stderr).toContain(`No bomtrail runs on ${folder}`);
  await rm(folder, { recursive: true });
});
