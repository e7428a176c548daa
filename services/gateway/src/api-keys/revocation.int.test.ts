import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { json } from 'node:stream/consumers';
import { createProject, sbomsFinished } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { connectGrpc, encoded } from '../testing/grpc-client';
import { projectId, sbomId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let one: TestGateway;
let other: TestGateway;
let mongo: MongoClient;
let db: Db;
let fakes: FakeServices;

beforeAll(async () => {
  // Otherwise made-up keys are refused before they are looked for.
  one = await startGateway({ FAILED_KEYS_PER_MINUTE: 0 });
  fakes = fakeServices(one.bus);
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
    what: 'the other gateway refuses the key',
  });
  expect(Date.now() - revokedAt).toBeLessThan(5_000);
});

async function revoke(id: string): Promise<void> {
  expect((await one.call('DELETE', `/api/v1/api-keys/${id}`)).status).toBe(204);
}

/** Sends a body of which the second half comes when the key has been revoked. */
async function revokedMeanwhile(path: string, contentType: string, halves: [string, string]) {
  const { id, key } = await makeKey();
  const sending = httpRequest(`http://127.0.0.1:${one.port}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': contentType,
      'content-length': Buffer.byteLength(halves.join('')),
      // The gateway says so once it has let the key in.
      expect: '100-continue',
    },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.write(halves[0]);
  await revoke(id);
  sending.end(halves[1]);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await json(response) };
}

const refused = { status: 401, body: { code: 'invalid_api_key' } };

describe('a key that is revoked while its request is under way', () => {
  test('uploads nothing over REST', async () => {
    const field = '--x\r\nContent-Disposition: form-data; name="project_id"\r\n\r\n';
    const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const halves: [string, string] = [`${field}${projectId}\r\n${file}{`, '}\r\n--x--\r\n'];
    const sent = revokedMeanwhile(
      '/api/v1/sboms/upload',
      'multipart/form-data; boundary=x',
      halves,
    );
    expect(await sent).toMatchObject(refused);
    expect(fakes.uploads).toEqual([]);
  });

  test('changes nothing', async () => {
    const halves: [string, string] = ['{"name":', '"late"}'];
    expect(await revokedMeanwhile('/api/v1/projects', 'application/json', halves)).toMatchObject(
      refused,
    );
    expect(fakes.requested.map(({ subject }) => subject)).not.toContain(createProject.subject);
  });

  test('uploads nothing over gRPC', async () => {
    const { id, key } = await makeKey();
    await use(one, key);
    const session = connect(`http://127.0.0.1:${one.grpcPort}`);
    const call = session.request({
      ':method': 'POST',
      ':path': '/sbom.SBOMService/UploadSBOM',
      te: 'trailers',
      'content-type': 'application/grpc',
      authorization: `Bearer ${key}`,
    });
    call.resume();
    await once(call, 'response');
    const message = encoded({ project_id: projectId, sbom_json: '{}' });
    const frame = Buffer.alloc(5);
    frame.writeUInt32BE(message.length, 1);
    call.write(frame);
    await revoke(id);
    call.end(message);
    const [trailers] = (await once(call, 'trailers')) as [Record<string, string>];
    expect(trailers).toMatchObject({ 'grpc-status': '16', 'bomtrail-code': 'invalid_api_key' });
    expect(fakes.uploads).toEqual([]);
    session.close();
  });

  test('is told nothing after a wait', async () => {
    const { id, key } = await makeKey();
    fakes.scanStatus = 'pending';
    fakes.requested.length = 0;
    const headers = { authorization: `Bearer ${key}` };
    const pending = one.call('GET', `/api/v1/sboms/${sbomId}?wait=60`, { headers });
    await eventually(() => fakes.requested.length > 0, { what: 'the SBOM is read' });
    await revoke(id);
    fakes.scanStatus = 'scanned';
    one.bus.broadcast(sbomsFinished, { sbom_ids: [sbomId] });
    const response = await pending;
    expect({ status: response.status, body: await response.json() }).toMatchObject(refused);
  });

  test('is told no verdict of a check, over REST and gRPC', async () => {
    const { id, key } = await makeKey();
    const headers = { authorization: `Bearer ${key}` };
    const arrived = { checks: 0 };
    let goOn = (): void => {};
    const revoked = new Promise<void>((resolve) => (goOn = resolve));
    fakes.beforeParse = () => {
      arrived.checks += 1;
      return revoked;
    };
    const body = new FormData();
    body.append('file', new Blob(['{"bomFormat":"CycloneDX"}']), 'bom.json');
    const rest = one.call('POST', '/api/v1/sboms/check', { headers, body });
    const client = connectGrpc(one.grpcPort);
    const fields = { sbom_json: '{"bomFormat":"CycloneDX"}' };
    const grpc = client.check(fields, { authorization: headers.authorization });
    await eventually(() => arrived.checks === 2, { what: 'both documents are read' });
    await revoke(id);
    goOn();
    const response = await rest;
    expect({ status: response.status, body: await response.json() }).toMatchObject(refused);
    expect(await grpc).toMatchObject({
      status: 'UNAUTHENTICATED',
      trailing: { 'bomtrail-code': 'invalid_api_key' },
    });
    client.close();
    fakes.beforeParse = async () => {};
  });
});

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
  expect(calls).toBeGreaterThan(5 * reads);
  // Two gateways, each every two seconds. Were they read when they are too old, it would be fewer.
  expect(reads).toBeGreaterThanOrEqual(4);
  expect(reads).toBeLessThanOrEqual(2 * Math.ceil(seconds / 2));
});

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
  // 503 is what a machine answers that is too busy for so many at once.
  expect([401, 503]).toEqual(expect.arrayContaining([...new Set([...statuses, ...again])]));
  const reads = await db
    .collection('system.profile')
    .find({ ns: `${db.databaseName}.api_keys`, op: 'query', ts: { $gte: from } })
    .toArray();
  expect(reads.length).toBeLessThanOrEqual(20 * seconds + 3);
});
