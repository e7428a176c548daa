import { eventually } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { playServices } from '../testing/played-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let one: TestGateway;
let other: TestGateway;
let mongo: MongoClient;
let db: Db;

beforeAll(async () => {
  // Otherwise made-up keys are refused before they are looked for.
  one = await startGateway({ FAILED_KEYS_PER_MINUTE: 0 });
  playServices(one.bus);
  other = await startGateway({
    MONGODB_URI: one.servers.mongoUri,
    MONGODB_DATABASE_PREFIX: one.servers.prefix,
    NATS_URL: one.servers.natsUrl,
  });
  mongo = await new MongoClient(one.servers.mongoUri).connect();
  db = mongo.db(`${one.servers.prefix}gateway`);
});
afterAll(async () => {
  await mongo?.close();
  await other?.stop();
  await one?.stop();
});

async function makeKey(): Promise<{ id: string; key: string }> {
  const response = await one.call('POST', '/api/v1/api-keys', {
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return (await response.json()) as { id: string; key: string };
}

async function use(gateway: TestGateway, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await gateway.call('GET', `/api/v1/services?project_id=${nobody}`, { headers });
  await response.arrayBuffer();
  return response.status;
}
const nobody = '0197c1d0-ffff-7fff-8fff-ffffffffffff';

test('a key revoked at one gateway is refused by every other one within 5 seconds, though in use all the time', async () => {
  const { id, key } = await makeKey();
  expect([await use(one, key), await use(other, key)]).toEqual([200, 200]);
  expect((await one.call('DELETE', `/api/v1/api-keys/${id}`)).status).toBe(204);
  const revokedAt = Date.now();
  expect(await use(one, key)).toBe(401);
  await eventually(async () => (await use(other, key)) === 401, {
    within: 5_000,
    what: 'the other gateway refuses the key',
  });
  expect(Date.now() - revokedAt).toBeLessThan(5_000);
}, 15_000);

test('a key in use costs no read of its own: one for all keys every two seconds', async () => {
  const keys = [await makeKey(), await makeKey(), await makeKey()];
  for (const { key } of keys) await use(one, key);
  await db.command({ profile: 2 });
  const from = new Date();
  const seconds = 7;
  let calls = 0;
  while (Date.now() - from.getTime() < seconds * 1_000) {
    const statuses = await Promise.all(keys.map(({ key }) => use(one, key)));
    expect(statuses).toEqual([200, 200, 200]);
    calls += statuses.length;
  }
  await db.command({ profile: 0 });
  const reads = await db
    .collection('system.profile')
    .countDocuments({ ns: `${db.databaseName}.api_keys`, op: 'query', ts: { $gte: from } });
  expect(calls).toBeGreaterThan(200);
  // Two gateways, each every two seconds. Were they read when they are too old, it would be fewer.
  expect(reads).toBeGreaterThanOrEqual(4);
  expect(reads).toBeLessThanOrEqual(2 * Math.ceil(seconds / 2));
}, 30_000);

test('made-up keys by the hundred cost a bounded number of reads', async () => {
  await db.command({ profile: 2 });
  const from = new Date();
  const made = Array.from(
    { length: 400 },
    (_, index) => `bt_madeup${String(index).padStart(6, '0')}_${'x'.repeat(43)}`,
  );
  const statuses = await Promise.all(made.map((key) => use(one, key)));
  const again = await Promise.all(made.map((key) => use(one, key)));
  const seconds = (Date.now() - from.getTime()) / 1_000;
  await db.command({ profile: 0 });
  expect(new Set([...statuses, ...again])).toEqual(new Set([401]));
  const reads = await db
    .collection('system.profile')
    .find({ ns: `${db.databaseName}.api_keys`, op: 'query', ts: { $gte: from } })
    .toArray();
  expect(reads.length).toBeLessThanOrEqual(20 * seconds + 3);
}, 30_000);
