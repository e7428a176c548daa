import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { connectDatabase, type Database } from './connect';
import { createLogger } from '@bomtrail/telemetry';
import { inTransaction } from './transaction';
import { createLeases, LeaseLost, type Lease } from './lease';

let servers: TestServers;
let database: Database;

beforeAll(async () => {
  servers = await startTestServers();
  const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
  database = await connectDatabase({
    settings: { MONGODB_URI: servers.mongoUri },
    name: `${servers.prefix}leases`,
    log,
  });
});

afterAll(async () => {
  await database?.client.close();
  await servers?.stop();
});

test('one of many processes has the lease, and a process that lost it is notified', async () => {
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
    { what: 'the lease expires' },
  );
  expect(second.token).toBeGreaterThan(first?.token ?? Infinity);
  expect(await first?.renew(60)).toBe(false);
  expect(await second.renew(60)).toBe(true);

  await first?.release();
  expect(await createLeases(database.db).acquire('sync', 60)).toBeNull();
  await second.release();
  expect(await createLeases(database.db).acquire('sync', 60)).not.toBeNull();
});

test('a lease can be acquired again after its document was lost', async () => {
  const leases = createLeases(database.db);
  expect(await leases.acquire('lost', 60)).not.toBeNull();
  await database.db.collection<{ _id: string }>('leases').deleteOne({ _id: 'lost' });
  await leases.acquire('lost', 60);
  expect(await leases.acquire('lost', 60)).not.toBeNull();
});

describe('a transaction that is guarded by a lease', () => {
  const notes = () => database.db.collection<{ _id: string }>('notes');
  const write = (lease: Lease | null, _id: string, between = async () => {}) =>
    inTransaction(database.client, async (session) => {
      await lease?.guard(session);
      await between();
      await notes().insertOne({ _id }, { session });
    });
  const taken = (name: string) =>
    eventually(
      async () => {
        const lease = await createLeases(database.db).acquire(name, 60);
        if (!lease) throw new Error('still held');
        return lease;
      },
      { what: 'another process takes the lease' },
    );

  beforeAll(() => database.db.createCollection('notes'));

  test('fails once another process has the lease, and writes nothing', async () => {
    const lease = await createLeases(database.db).acquire('paused', 0);
    await write(lease, 'held');
    const newer = await taken('paused');
    await expect(write(lease, 'late')).rejects.toBeInstanceOf(LeaseLost);
    await write(newer, 'newer');
    expect(await notes().distinct('_id')).toEqual(['held', 'newer']);
  });

  test('is visible to the next owner of the lease', async () => {
    const lease = await createLeases(database.db).acquire('slow', 0);
    let seen: Promise<unknown> = Promise.resolve();
    await write(lease, 'slow', async () => {
      seen = taken('slow').then(() => notes().findOne({ _id: 'slow' }));
      await someoneIsHeldOff('leases');
    });
    expect(await seen).toEqual({ _id: 'slow' });
  });
});

/** Until a write tries again and again because a transaction holds what it wants. */
function someoneIsHeldOff(collection: string): Promise<unknown> {
  const ns = `${database.db.databaseName}.${collection}`;
  return eventually(
    async () => {
      const now = await database.client.db('admin').command({ currentOp: true, active: true, ns });
      const writes = now['inprog'] as { writeConflicts?: number }[];
      return writes.some(({ writeConflicts = 0 }) => writeConflicts > 0);
    },
    { what: 'another process is held off' },
  );
}
