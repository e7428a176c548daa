import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import type { Logger } from '@bomtrail/telemetry';
import { MongoClient } from 'mongodb';
import { Registry } from 'prom-client';
import { watchClock } from './watch-clock';

let servers: TestServers;
let client: MongoClient;

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri).connect();
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

/** Watches a clock that differs by so many seconds; the metric, and what is warned of by then. */
async function watched(aheadSeconds: number) {
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) } as unknown as Logger;
  const registry = new Registry();
  const now = () => Date.now() - aheadSeconds * 1000;
  let answered = 0;
  const db = client.db('clock');
  const command: typeof db.command = async (...given) =>
    db.command(...given).finally(() => (answered += 1));
  const counted = { command } as typeof db;
  const stop = watchClock({ db: counted, registry, log }, now);
  const text = await registry.metrics();
  await eventually(async () => answered >= 2, { what: 'both have read the clock' });
  stop();
  const [, value] = /^bomtrail_database_clock_ahead_seconds (\S+)$/m.exec(text) ?? [];
  return { seconds: Math.round(Number(value)), warnings };
}

test.each([
  [60, 'The database server is ahead.'],
  [-60, 'The database server is behind.'],
])('a clock that differs by %d s is measured and warned of', async (seconds, reason) => {
  expect(await watched(seconds)).toEqual({ seconds, warnings: [{ reason, seconds }] });
});

test('clocks that agree are nothing to warn of', async () => {
  const { seconds, warnings } = await watched(0);
  expect([Math.abs(seconds), warnings]).toEqual([0, []]);
});
