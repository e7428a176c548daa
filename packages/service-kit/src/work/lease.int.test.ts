import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { connectDatabase, type Database } from '../database/connect';
import { createLogger } from '../log/logger';
import { createLeases } from './lease';

let servers: TestServers;
let database: Database;

beforeAll(async () => {
  servers = await startTestServers();
  const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
  database = await connectDatabase({ uri: servers.mongoUri, name: `${servers.prefix}leases`, log });
}, 60_000);

afterAll(async () => {
  await database?.client.close();
  await servers?.stop();
});

test('of many processes one holds a lease, and who lost it is told so', async () => {
  const contenders = Array.from({ length: 8 }, () => createLeases(database.db));
  const held = await Promise.all(contenders.map((leases) => leases.acquire('sync', 1)));
  const [first, ...others] = held.filter((lease) => lease !== null);
  expect(others).toEqual([]);

  const second = await eventually(
    async () => {
      const lease = await createLeases(database.db).acquire('sync', 60);
      if (!lease) throw new Error('still held');
      return lease;
    },
    { within: 5_000, what: 'the lease expires' },
  );
  expect(second.token).toBeGreaterThan(first?.token ?? Infinity);
  expect(await first?.renew(60)).toBe(false);
  expect(await second.renew(60)).toBe(true);

  await first?.release();
  expect(await createLeases(database.db).acquire('sync', 60)).toBeNull();
  await second.release();
  expect(await createLeases(database.db).acquire('sync', 60)).not.toBeNull();
}, 30_000);
