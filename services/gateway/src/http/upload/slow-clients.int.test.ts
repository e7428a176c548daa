import { request as httpRequest, type ClientRequest } from 'node:http';
import { eventually } from '@bomtrail/testkit';
import { projectId } from '../../testing/fake-data';
import { fakeServices, type FakeServices } from '../../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../../testing/start-gateway';
import { bytesInMemory } from '../../uploads/receive-file';
import { usualPace } from '../pace';

const path = '/api/v1/sboms/upload';
const slots = 4;
/** Longer than the tests take on any machine: no client is given up while they look. */
const longMs = 600_000;
const begin =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n{"bomFormat":';

let gateway: TestGateway;
let fakes: FakeServices;
let slow: SlowClient[] = [];

beforeAll(async () => {
  gateway = await startGateway(
    { UPLOAD_CONCURRENCY: slots, TRUSTED_PROXY_HOPS: 1 },
    { patience: { beginningMs: longMs, pace: { ...usualPace, windowMs: longMs } } },
  );
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());
beforeEach(() => (fakes.uploads.length = 0));
afterEach(async () => {
  for (const { sending } of slow) sending.destroy();
  slow = [];
  await eventually(async () => (await gateway.tempFiles()).length === 0, {
    what: 'no temporary file is left',
  });
});

interface SlowClient {
  sending: ClientRequest;
  /** Whether it has been answered, or its line was cut. */
  isOver(): boolean;
}

/** Begins an upload, sends so much of it, and then nothing for as long as the test takes. */
async function beginsSlowly(bytes: number, address: string): Promise<SlowClient> {
  const sending = httpRequest({
    port: gateway.port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${bootstrapKey}`,
      'x-forwarded-for': address,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 10_000_000,
    },
  });
  let over = false;
  sending.on('error', () => (over = true));
  sending.on('response', () => (over = true));
  await new Promise<void>((resolve) => {
    sending.write(begin + ' '.repeat(bytes), () => resolve());
  });
  const client = { sending, isOver: () => over };
  slow.push(client);
  return client;
}

async function upload(address: string): Promise<number> {
  const body = new FormData();
  body.append('project_id', projectId);
  body.append('file', new Blob(['{"bomFormat":"CycloneDX"}']), 'bom.json');
  const headers = { 'x-forwarded-for': address };
  const response = await gateway.call('POST', path, { body, headers });
  await response.arrayBuffer();
  return response.status;
}

test('a hundred clients that send next to nothing take no place: an upload of the same sender is taken at once', async () => {
  await Promise.all(Array.from({ length: 100 }, () => beginsSlowly(1_000, '192.0.2.1')));
  expect(await upload('192.0.2.1')).toBe(201);
  expect(slow.filter(({ isOver }) => isOver())).toEqual([]);
});

test('clients that stop in the middle take the places of their sender only, while they are waited for', async () => {
  const stopped = Array.from({ length: 2 * slots }, () =>
    beginsSlowly(2 * bytesInMemory, '192.0.2.1'),
  );
  await eventually(async () => (await gateway.tempFiles()).length === slots - 1, {
    what: 'all places of one sender are taken',
  });
  expect(await upload('192.0.2.2')).toBe(201);
  expect(slow.filter(({ isOver }) => isOver())).toEqual([]);
  expect(await gateway.tempFiles()).toHaveLength(slots - 1);
  for (const { sending } of slow) sending.destroy();
  await Promise.allSettled(stopped);
  expect(await upload('192.0.2.1')).toBe(201);
});
