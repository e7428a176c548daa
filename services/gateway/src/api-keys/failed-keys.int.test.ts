import { connectGrpc } from '../testing/grpc-client';
import { fakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

const wrongKeys = 5;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ FAILED_KEYS_PER_MINUTE: wrongKeys, TRUSTED_PROXY_HOPS: 1 });
  fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

function madeUp(index: number): string {
  return `bt_made${String(index).padStart(8, '0')}_${'x'.repeat(43)}`;
}

/** A request that came to our proxy from that address. */
function from(address: string, key: string, path = '/api/v1/projects') {
  return gateway.call('GET', path, {
    headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address },
  });
}

async function lockOut(address: string): Promise<void> {
  const statuses: number[] = [];
  for (let index = 0; index <= wrongKeys; index += 1) {
    statuses.push((await from(address, madeUp(index))).status);
  }
  expect(statuses).toEqual([...Array<number>(wrongKeys).fill(401), 429]);
}

test('an address that sends wrong keys is told to wait, and its valid keys are let in', async () => {
  await lockOut('198.51.100.1');
  const refused = await from('198.51.100.1', 'nonsense');
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringContaining('invalid API keys'),
  });
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await from('198.51.100.1', bootstrapKey)).status).toBe(200);
  // No key is no wrong key.
  const without = await gateway.call('GET', '/api/v1/projects', {
    headers: { authorization: '', 'x-forwarded-for': '198.51.100.1' },
  });
  expect(without.status).toBe(401);
});

test('other addresses hear nothing of it, and none can pretend to be one', async () => {
  await lockOut('198.51.100.2');
  expect((await from('198.51.100.3', madeUp(0))).status).toBe(401);
  expect((await from('198.51.100.3, 198.51.100.2', madeUp(0))).status).toBe(429);
});

test('a valid key that is not at hand is let in however many made-up ones come beside it', async () => {
  await lockOut('198.51.100.4');
  for (let index = 0; index < 40; index += 1) {
    const made = await gateway.call('POST', '/api/v1/api-keys', {
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { key } = (await made.json()) as { key: string };
    const [valid, wrong] = await Promise.all([
      from('198.51.100.4', key),
      from('198.51.100.4', madeUp(0)),
    ]);
    expect([valid.status, wrong.status]).toEqual([200, 429]);
  }
});

test('over gRPC it is the same count, and RESOURCE_EXHAUSTED', async () => {
  const client = connectGrpc(gateway.grpcPort);
  const upload = (key: string) =>
    client.upload(
      {},
      { authorization: `bearer ${key}`, metadata: { 'x-forwarded-for': '198.51.100.5' } },
    );
  for (let index = 0; index < wrongKeys; index += 1) {
    expect((await upload(madeUp(index))).status).toBe('UNAUTHENTICATED');
  }
  const refused = await upload(madeUp(0));
  expect([refused.status, refused.trailing['bomtrail-code']]).toEqual([
    'RESOURCE_EXHAUSTED',
    'rate_limited',
  ]);
  expect(Number(refused.trailing['retry-after'])).toBeGreaterThanOrEqual(1);
  expect((await from('198.51.100.5', madeUp(1))).status).toBe(429);
  expect((await upload(bootstrapKey)).status).toBe('INVALID_ARGUMENT');
  client.close();
});

test('over gRPC none can pretend to come through the proxies that only REST passes', async () => {
  const hops = { TRUSTED_PROXY_HOPS: 1, GRPC_TRUSTED_PROXY_HOPS: 0 };
  const direct = await startGateway({ FAILED_KEYS_PER_MINUTE: wrongKeys, ...hops });
  fakeServices(direct.bus);
  const client = connectGrpc(direct.grpcPort);
  const statuses: string[] = [];
  for (let index = 0; index <= wrongKeys; index += 1) {
    const claimed = { metadata: { 'x-forwarded-for': `198.51.100.${100 + index}` } };
    const call = await client.upload({}, { authorization: `bearer ${madeUp(index)}`, ...claimed });
    statuses.push(call.status);
  }
  client.close();
  await direct.stop();
  expect(statuses.slice(-2)).toEqual(['UNAUTHENTICATED', 'RESOURCE_EXHAUSTED']);
});
