import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import { retentionTests } from './findings/retention-tests';
import { searchTests } from './findings/search-tests';
import { timelineTests } from './findings/timeline-tests';
import { uploadTests } from './findings/upload-tests';
import { npmDocument } from './support/examples';
import { startTestStack, type TestStack } from './support/test-stack';

/** What one stack with the starter advisories finds. */
let dataDir: string;
let running: TestStack;
const stack = (): TestStack => running;

const start = (): Promise<TestStack> =>
  startTestStack({
    dataDir,
    env: { BOMTRAIL_ADVISORY_SOURCE: 'starter', BOMTRAIL_RETENTION_INTERVAL_SECONDS: '1' },
  });

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'bomtrail-e2e-'));
  running = await start();
});
afterAll(async () => {
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('The search', () => searchTests(stack));
describe('The past of a vulnerability', () => timelineTests(stack));
describe('An upload', () => uploadTests(stack));
describe('Retention', () => retentionTests(stack));

test('a second start finds its data and its key', async () => {
  const { client } = running;
  const project = await client.createProject({ name: 'Kept' });
  const file = npmDocument('svc', ['lodash@4.17.15']);
  const upload = { project_id: project.id, service_name: 'svc', version: '1', file };
  await waitForScan(client, (await client.upload(upload)).id, 30_000);
  const openIds = async (): Promise<string[]> =>
    (await running.client.allActive({ project_id: project.id })).map(({ id }) => id).sort();
  const before = await openIds();
  expect(before).not.toEqual([]);
  const { apiKey } = running.stack;
  await running.stop();
  running = await start();
  expect(running.stack.apiKey).toBe(apiKey);
  await eventually(async () => expect(await openIds()).toEqual(before), {
    what: 'the rows are there again',
  });
});
