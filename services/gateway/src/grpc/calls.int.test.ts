import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { AppError } from '@bomtrail/messages';
import { currentContext } from '@bomtrail/telemetry';
import { eventually } from '@bomtrail/testkit';
import { destroySessions } from '../testing/destroy-session';
import { connectGrpc, encoded, type TestGrpcClient } from '../testing/grpc-client';
import { projectId } from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

const maxBytes = 3 * 1024 * 1024;
let gateway: TestGateway;
let fakes: FakeServices;
let client: TestGrpcClient;

beforeAll(async () => {
  gateway = await startGateway({
    MAX_UPLOAD_BYTES: maxBytes,
    UPLOAD_CONCURRENCY: 2,
    UPLOAD_QUEUE: 2,
    // More than wait and are read together: what is looked at here is the gate of both doors.
    GRPC_UPLOAD_CONCURRENCY: 8,
  });
  fakes = fakeServices(gateway.bus);
  client = connectGrpc(gateway.grpcPort);
});
afterAll(async () => {
  client?.close();
  await gateway?.stop();
});
beforeEach(() => {
  fakes.requested.length = 0;
  fakes.uploads.length = 0;
  fakes.uploadFails = null;
  fakes.beforeUploadResponse = async () => {};
});
afterEach(async () => {
  await eventually(async () => (await gateway.tempFiles()).length === 0, {
    what: 'no temporary file is left',
  });
  expect(gateway.errors).toEqual([]);
});

const upload = { project_id: projectId, sbom_json: '{"bomFormat":"CycloneDX"}' };

/** Keeps what is uploaded from being answered until it is called. */
function holdResponses(): () => void {
  let release: () => void = () => {};
  const untilReleased = new Promise<void>((resolve) => (release = resolve));
  fakes.beforeUploadResponse = () => untilReleased;
  return release;
}

describe('A request id', () => {
  test("is the client's own where that is usable, else a new one, on answers and refusals", async () => {
    const metadata = { 'x-request-id': 'job-42' };
    const [own, fresh, refused] = await Promise.all([
      client.upload(upload, { metadata }),
      client.upload(upload, { metadata: { 'x-request-id': 'not usable' } }),
      client.upload({}, { metadata, authorization: null }),
    ]);
    expect([own.status, own.initial['x-request-id']]).toEqual(['OK', 'job-42']);
    expect(fresh.initial['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
    expect([refused.status, refused.initial['x-request-id']]).toEqual([
      'UNAUTHENTICATED',
      'job-42',
    ]);
  });

  test('goes on to the services behind', async () => {
    const seen: unknown[] = [];
    fakes.beforeUploadResponse = async () => void seen.push(currentContext()?.requestId);
    await client.upload(upload, { metadata: { 'x-request-id': 'job-43' } });
    expect(seen).toEqual(['job-43']);
  });
});

describe('A message', () => {
  test.each<[string, Uint8Array]>([
    ['is no protobuf', Buffer.from('\u0007hello')],
    ['is cut off', encoded(upload).subarray(0, -3)],
    ['has text that is not UTF-8', Buffer.from([0x12, 2, 0xc3, 0x28])],
    ['has a document that is not UTF-8', Buffer.from([0x2a, 2, 0xc3, 0x28])],
    ['has a document that is packed', Buffer.from([0x2a, 20, ...gzipSync('{}')].slice(0, 22))],
  ])('that %s is refused', async (_what, bytes) => {
    const result = await client.upload({}, { bytes });
    expect([result.status, result.trailing['bomtrail-code']]).toEqual([
      'INVALID_ARGUMENT',
      'malformed_body',
    ]);
    expect(fakes.requested).toEqual([]);
  });

  test('with fields of a later release is taken', async () => {
    const later = Buffer.from([0x32, 3, 0x61, 0x62, 0x63, 0x38, 1]);
    const result = await client.upload({}, { bytes: Buffer.concat([encoded(upload), later]) });
    expect(result.status).toBe('OK');
  });

  test('without any field is refused with all that it lacks', async () => {
    const result = await client.upload({});
    expect(result.status).toBe('INVALID_ARGUMENT');
    expect(result.details).toMatch(/project_id: Field required.*; sbom_json: Field required/);
    expect(result.trailing).not.toHaveProperty('bomtrail-code');
  });

  test('of the largest size is taken byte for byte, larger ones are not', async () => {
    const largest = randomBytes(maxBytes / 2).toString('hex');
    const [fits, tooLong, farTooLong] = await Promise.all([
      client.upload({ ...upload, sbom_json: largest }),
      client.upload({ ...upload, sbom_json: `${largest}.` }),
      client.upload({ ...upload, sbom_json: largest.repeat(2) }),
    ]);
    expect(fits.status).toBe('OK');
    expect(fakes.uploads.map((bytes) => bytes.equals(Buffer.from(largest)))).toEqual([true]);
    expect([tooLong.status, tooLong.trailing['bomtrail-code']]).toEqual([
      'RESOURCE_EXHAUSTED',
      'payload_too_large',
    ]);
    expect(farTooLong.status).toBe('RESOURCE_EXHAUSTED');
  });

  test("may be gzip'd by the client, but a bomb is not unpacked", async () => {
    const packing = connectGrpc(gateway.grpcPort, undefined, {
      'grpc.default_compression_algorithm': 2,
    });
    const taken = await packing.upload(upload);
    const bomb = await packing.upload({ ...upload, sbom_json: 'x'.repeat(20 * maxBytes) });
    packing.close();
    expect([taken.status, bomb.status]).toEqual(['OK', 'RESOURCE_EXHAUSTED']);
    expect(fakes.uploads).toHaveLength(1);
  });

  test('that is long in its explanation of a refusal is cut, and stays sendable', async () => {
    fakes.uploadFails = new AppError('invalid_sbom', `100 % \ud800 ${'ü'.repeat(20_000)}`);
    const result = await client.upload(upload);
    expect(result.status).toBe('INVALID_ARGUMENT');
    expect(result.details).toMatch(/^100 % \uFFFD ü+…$/);
    expect(result.details.length).toBeLessThan(1_000);
  });
});

describe('A call by hand', () => {
  let session: ClientHttp2Session;
  beforeEach(() => {
    session = connectHttp2(`http://127.0.0.1:${gateway.grpcPort}`);
    session.on('error', () => {});
  });
  afterEach(() => destroySessions([session]));

  /** Begins a call and does not end it. */
  function begin(authorization = `bearer ${bootstrapKey}`) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/sbom.SBOMService/UploadSBOM',
      te: 'trailers',
      'content-type': 'application/grpc',
      authorization,
    });
    stream.on('error', () => {});
    stream.resume();
    const ended = new Promise<Record<string, unknown>>((resolve) => {
      let all: Record<string, unknown> = {};
      stream.on('response', (headers) => (all = { ...all, ...headers }));
      stream.on('trailers', (headers) => (all = { ...all, ...headers }));
      stream.on('end', () => resolve(all));
      stream.on('close', () => resolve(all));
    });
    return { stream, ended };
  }

  function framed(message: Uint8Array): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    return Buffer.concat([head, message]);
  }

  test('with a wrong key is refused before its message has come', async () => {
    const { ended } = begin('bearer bt_wrong');
    expect(await ended).toMatchObject({ 'grpc-status': '16', 'bomtrail-code': 'invalid_api_key' });
  });

  test('that says it brings too much is refused before it has come', async () => {
    const { stream, ended } = begin();
    const head = Buffer.alloc(5);
    head.writeUInt32BE(0x7fffffff, 1);
    stream.write(head);
    expect(await ended).toMatchObject({ 'grpc-status': '8' });
  });

  test.each([
    ['no message', 0],
    ['two messages', 2],
  ])('with %s is refused', async (_what, count) => {
    const { stream, ended } = begin();
    for (let sent = 0; sent < count; sent += 1) stream.write(framed(encoded(upload)));
    stream.end();
    expect(await ended).toMatchObject({ 'grpc-status': '3', 'bomtrail-code': 'malformed_body' });
    expect(fakes.requested).toEqual([]);
  });

  test('that breaks off in the middle of its message takes no place', async () => {
    for (let time = 0; time < 3; time += 1) {
      const { stream, ended } = begin();
      stream.write(framed(encoded(upload)).subarray(0, 20));
      stream.close();
      await ended;
    }
    expect((await client.upload(upload)).status).toBe('OK');
  });

  test('to a method that there is not is unimplemented', async () => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/sbom.SBOMService/Nothing',
      te: 'trailers',
      'content-type': 'application/grpc',
    });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers['grpc-status']).toBe('12');
  });
});

describe('Uploads at once', () => {
  test('of both doors wait their turn together, and are sent away when too many wait', async () => {
    const release = holdResponses();
    const form = new FormData();
    form.append('project_id', projectId);
    form.append('file', new Blob([upload.sbom_json]), 'bom.json');
    const first = [
      client.upload(upload),
      gateway.call('POST', '/api/v1/sboms/upload', { body: form }),
    ];
    await eventually(() => fakes.uploads.length === 2, { what: 'two are read' });
    const waiting = [client.upload(upload), client.upload(upload)];
    const extra = await eventually(
      async () => {
        const result = await client.upload(upload, { deadlineMs: 500 });
        return result.status !== 'DEADLINE_EXCEEDED' && result;
      },
      { what: 'the queue is full' },
    );
    expect(extra && [extra.status, extra.trailing['bomtrail-code']]).toEqual([
      'UNAVAILABLE',
      'service_unavailable',
    ]);
    expect(extra && extra.trailing['retry-after']).toMatch(/^\d+$/);
    expect(fakes.uploads).toHaveLength(2);
    release();
    const responses = await Promise.all([...first, ...waiting]);
    expect(responses.map(({ status }) => status)).toEqual(['OK', 201, 'OK', 'OK']);
  });
});

describe('A call that ends before its answer', () => {
  test.each<[string, 'DEADLINE_EXCEEDED' | 'CANCELLED']>([
    ['by its deadline', 'DEADLINE_EXCEEDED'],
    ['because its client cancels', 'CANCELLED'],
  ])('%s leaves the queue and uploads nothing', async (_how, status) => {
    const release = holdResponses();
    const inside = [client.upload(upload), client.upload(upload)];
    await eventually(() => fakes.uploads.length === 2, { what: 'two are read' });
    const cancel = new AbortController();
    // Long enough to be seen waiting on a busy machine.
    const options = status === 'CANCELLED' ? { cancel: cancel.signal } : { deadlineMs: 4_000 };
    const left = { ...upload, sbom_json: '{"left":true}' };
    const leaving = [client.upload(left, options), client.upload(left, options)];
    await eventually(
      async () => (await client.upload(upload, { deadlineMs: 500 })).status === 'UNAVAILABLE',
      { what: 'the queue is full' },
    );
    cancel.abort();
    expect((await Promise.all(leaving)).map((result) => result.status)).toEqual([status, status]);
    await eventually(
      async () => (await client.upload(upload, { deadlineMs: 100 })).status !== 'UNAVAILABLE',
      { what: 'the queue has room' },
    );
    const staying = client.upload(upload);
    release();
    const responses = await Promise.all([...inside, staying]);
    expect(responses.map((result) => result.status)).toEqual(['OK', 'OK', 'OK']);
    expect(fakes.uploads.map(String)).not.toContain(left.sbom_json);
  });

  test('by its deadline while ingest works is told so, and keeps its place until ingest is done', async () => {
    const release = holdResponses();
    const late = await client.upload(upload, { deadlineMs: 300 });
    expect(late.status).toBe('DEADLINE_EXCEEDED');
    expect(fakes.uploads).toHaveLength(1);
    release();
    expect((await client.upload(upload)).status).toBe('OK');
  });
});
