import { eventually } from '@bomtrail/testkit';
import { createRateLimiter } from './store/rate-limiter';
import { connectGrpc } from '../testing/grpc-client';
import { fakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import { MongoClient } from 'mongodb';

const calls = 20;
let one: TestGateway;
let other: TestGateway;

beforeAll(async () => {
  one = await startGateway({ RATE_LIMIT_PER_MINUTE: calls });
  fakeServices(one.bus);
  other = await startGateway({
    RATE_LIMIT_PER_MINUTE: calls,
    MONGODB_URI: one.servers.mongoUri,
    MONGODB_DATABASE_PREFIX: one.servers.prefix,
    NATS_URL: one.servers.natsUrl,
  });
});
afterAll(async () => {
  await other?.stop();
  await one?.stop();
});

async function makeKey(): Promise<string> {
  const response = await one.call('POST', '/api/v1/api-keys', {
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await response.json()) as { key: string }).key;
}

function as(key: string): RequestInit {
  return { headers: { authorization: `Bearer ${key}` } };
}

test('a key makes so many calls a minute over all gateways and doors, and is told when there is room', async () => {
  const key = await makeKey();
  const client = connectGrpc(one.grpcPort);
  const responses = await Promise.all(
    Array.from({ length: calls + 10 }, async (_, index) => {
      const gateway = index % 2 === 0 ? one : other;
      return (await gateway.call('GET', '/api/v1/projects', as(key))).status;
    }),
  );
  expect(responses.filter((status) => status === 200)).toHaveLength(calls);
  expect(responses.filter((status) => status === 429)).toHaveLength(10);

  for (const gateway of [one, other]) {
    // Also where there is nothing: the limit stands before everything else.
    const refused = await gateway.call('DELETE', '/api/v1/nothing', as(key));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
  }

  const overGrpc = await client.upload({}, { authorization: `bearer ${key}` });
  client.close();
  expect([overGrpc.status, overGrpc.trailing['bomtrail-code']]).toEqual([
    'RESOURCE_EXHAUSTED',
    'rate_limited',
  ]);
  expect(Number(overGrpc.trailing['retry-after'])).toBeGreaterThanOrEqual(1);
});

test('what one key has used up is nothing to another one, nor to who needs no key', async () => {
  const [used, fresh] = [await makeKey(), await makeKey()];
  for (let index = 0; index <= calls; index += 1) {
    await one.call('GET', '/api/v1/projects', as(used));
  }
  expect((await one.call('GET', '/api/v1/projects', as(used))).status).toBe(429);
  expect((await one.call('GET', '/api/v1/projects', as(fresh))).status).toBe(200);
  expect((await one.call('GET', '/healthz')).status).toBe(200);
});

describe('A limit', () => {
  let mongo: MongoClient;
  beforeAll(async () => {
    mongo = await new MongoClient(one.servers.mongoUri).connect();
  });
  afterAll(() => mongo?.close());

  function limiter(limit: { calls: number; windowSeconds?: number }) {
    const db = mongo.db(`${one.servers.prefix}gateway`);
    return createRateLimiter({ db, client: mongo, isUp: async () => true }, limit);
  }

  test('gives room again when its time is over', async () => {
    const count = limiter({ calls: 2, windowSeconds: 1 });
    expect([await count('short'), await count('short')]).toEqual([0, 0]);
    expect(await count('short')).toBe(1);
    await eventually(async () => (await count('short')) === 0, {
      what: 'there is room again',
    });
  });

  test('of 0 is none, and nothing is counted', async () => {
    const count = limiter({ calls: 0 });
    for (let index = 0; index < 100; index += 1) expect(await count('unlimited')).toBe(0);
    const counted = mongo.db(`${one.servers.prefix}gateway`).collection('rate_limits');
    expect(await counted.countDocuments({ key: 'unlimited' })).toBe(0);
  });

  test('is held by each process by itself while the counts cannot be reached', async () => {
    const away = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 100 });
    const db = away.db('nothing');
    const count = createRateLimiter({ db, client: away, isUp: async () => false }, { calls: 2 });
    expect([await count('away'), await count('away')]).toEqual([0, 0]);
    expect(await count('away')).toBeGreaterThan(0);
    await away.close();
  });
});
