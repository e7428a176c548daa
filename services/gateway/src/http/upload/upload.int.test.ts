import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { checkResponse } from '@bomtrail/api-contract';
import { AppError } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { projectId } from '../../testing/fake-data';
import { bytesInMemory } from '../../uploads/receive-file';
import { fakeServices, type FakeServices } from '../../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../../testing/start-gateway';

const path = '/api/v1/sboms/upload';
const maxBytes = 3 * 1024 * 1024;
let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  gateway = await startGateway({
    MAX_UPLOAD_BYTES: maxBytes,
    UPLOAD_CONCURRENCY: 2,
    UPLOAD_QUEUE: 1,
  });
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());
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
});

type Part = [name: string, value: string | Buffer, filename?: string];

function form(parts: Part[]): FormData {
  const data = new FormData();
  for (const [name, value, filename] of parts) {
    if (filename === undefined) data.append(name, String(value));
    else data.append(name, new Blob([value as Buffer<ArrayBuffer>]), filename);
  }
  return data;
}

async function upload(parts: Part[], headers: Record<string, string> = {}) {
  const response = await gateway.call('POST', path, { body: form(parts), headers });
  const body = (await response.json()) as { code?: string; detail?: unknown; sha256?: string };
  return { status: response.status, body };
}

const document = Buffer.from('{"bomFormat":"CycloneDX"}\n');
const file: Part = ['file', document, 'bom.json'];
const target: Part = ['project_id', projectId];
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('An upload is taken', () => {
  test.each<[string, Part[]]>([
    ['the file first', [file, ['version', '1.0'], target]],
    ['the file last', [['version', '1.0'], target, file]],
  ])('with %s', async (_order, parts) => {
    const { status, body } = await upload(parts);
    expect(status).toBe(201);
    expect(checkResponse(gateway.contract, { operationId: 'uploadSbom', status, body })).toEqual(
      [],
    );
    expect(body.sha256).toBe(sha256(document));
    expect(fakes.uploads).toEqual([document]);
    expect(fakes.requested[0]?.body).toEqual({
      project_id: projectId,
      project_slug: null,
      version: '1.0',
      service_name: null,
      sha256: sha256(document),
      size: document.length,
      provenance: {
        uploaded_by: {
          key_id: expect.any(String),
          key_prefix: 'bootstrap000',
          key_name: 'bootstrap',
        },
        commit: null,
        build_url: null,
      },
    });
  });

  test('with the build that it comes from', async () => {
    const build_url = 'https://ci.example.org/1';
    const { body } = await upload([target, ['commit', 'a1'], ['build_url', build_url], file]);
    expect(body).toMatchObject({ commit: 'a1', build_url, uploaded_by: { key_name: 'bootstrap' } });
    const wrong = await upload([target, ['build_url', 'javascript:alert(1)'], file]);
    expect(wrong.status).toBe(422);
  });

  test('with names as they are, and empty fields as if they were not there', async () => {
    await upload([
      ['project_id', ''],
      ['project_slug', 'web-shop'],
      ['version', ''],
      ['service_name', ' Käse '],
      file,
    ]);
    expect(fakes.requested[0]?.body).toMatchObject({
      project_id: null,
      project_slug: 'web-shop',
      version: null,
      service_name: ' Käse ',
    });
  });

  test('with other fields and other files, which are ignored', async () => {
    const { status } = await upload([
      ['other', 'x'.repeat(100_000)],
      ['extra', randomBytes(200_000), 'extra.bin'],
      file,
      target,
      ['a[b', 'x'],
    ]);
    expect(status).toBe(201);
    expect(fakes.uploads).toEqual([document]);
  });

  test("gzip'd, by its first bytes, and named by the hash of what is in it", async () => {
    const { status, body } = await upload([['file', gzipSync(document), 'bom.json.gz'], target]);
    expect([status, body.sha256]).toEqual([201, sha256(document)]);
    expect(fakes.uploads).toEqual([document]);
  });

  test("in a body that is gzip'd as a whole, and in one that only says so", async () => {
    const plain = await encoded([file, target]);
    for (const body of [gzipSync(plain.body), plain.body]) {
      const response = await gateway.call('POST', path, {
        body: body as Buffer<ArrayBuffer>,
        headers: { 'content-type': plain.type, 'content-encoding': 'gzip' },
      });
      expect(response.status).toBe(201);
    }
    expect(fakes.uploads).toEqual([document, document]);
  });

  test('of the largest size, too large for a message, byte for byte', async () => {
    const large = randomBytes(maxBytes);
    const { status, body } = await upload([['file', large, 'large'], target]);
    expect([status, body.sha256]).toEqual([201, sha256(large)]);
    expect(fakes.uploads[0]?.equals(large)).toBe(true);
  });
});

describe('A document that ingest took lately', () => {
  const again = () => Buffer.from(`{"again":"${randomBytes(8).toString('hex')}"}`);

  test('is handed on by its hash alone, whatever its size', async () => {
    for (const bytes of [again(), randomBytes(2 * bytesInMemory)]) {
      for (const sent of ['with bytes', 'by name']) {
        expect((await upload([['file', bytes, 'f'], target])).status).toBe(201);
        expect(fakes.sent.at(-1)).toEqual(sent === 'with bytes');
      }
    }
  });

  test('and does not know any more, is sent to it', async () => {
    const parts: Part[] = [['file', again(), 'f'], target];
    await upload(parts);
    fakes.forgetDocuments();
    expect((await upload(parts)).status).toBe(201);
    expect(fakes.sent.slice(-2)).toEqual([false, true]);
  });

  test('and what it refused before is sent to it', async () => {
    const parts: Part[] = [['file', again(), 'f'], target];
    fakes.uploadFails = new AppError('invalid_sbom');
    expect((await upload(parts)).status).toBe(400);
    fakes.uploadFails = null;
    expect((await upload(parts)).status).toBe(201);
    expect(fakes.sent.slice(-2)).toEqual([true, true]);
  });
});

describe('An upload is refused', () => {
  const problemsOf = (body: { detail?: unknown }) =>
    (body.detail as { loc: unknown; type: string }[]).map(({ loc, type }) => [loc, type]);

  test('with every wrong field named', async () => {
    const { status, body } = await upload([
      ['service_name', 'x'.repeat(256)],
      ['project_id', 'no-uuid'],
    ]);
    expect(status).toBe(422);
    expect(problemsOf(body)).toEqual([
      [['body', 'project_id'], 'uuid_parsing'],
      [['body', 'service_name'], 'string_too_long'],
      [['body', 'file'], 'missing'],
    ]);
    expect(fakes.requested).toEqual([]);
  });

  test('with two files', async () => {
    const { status, body } = await upload([file, target, file]);
    expect(status).toBe(422);
    expect(problemsOf(body)).toEqual([[['body', 'file'], 'value_error']]);
  });

  test('with both names of a project, or none', async () => {
    const both = await upload([target, ['project_slug', 'web-shop'], file]);
    const none = await upload([file]);
    expect([both.status, none.status]).toEqual([422, 422]);
  });

  test('without a body', async () => {
    const response = await gateway.call('POST', path);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'missing' }] });
  });

  test.each([
    ['application/json', '{}', 'unsupported_media_type'],
    ['multipart/form-data', 'x', 'malformed_multipart'],
    ['multipart/form-data; boundary=b', '--b\r\nno header', 'malformed_multipart'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n{"cut": ',
      'malformed_multipart',
    ],
  ])('sent as %s: %j', async (type, body, code) => {
    const response = await gateway.call('POST', path, { body, headers: { 'content-type': type } });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code }),
    ]);
  });

  test('when its gzip data are cut off', async () => {
    const packed = gzipSync(randomBytes(5000)).subarray(0, 3000);
    const { status, body } = await upload([['file', packed, 'f.gz'], target]);
    expect([status, body.code]).toEqual([400, 'malformed_body']);
  });

  test.each([
    ['as it is', randomBytes(maxBytes + 1)],
    ['after unpacking', gzipSync(Buffer.alloc(50 * maxBytes))],
  ])('when it is too large %s', async (_how, bytes) => {
    const { status, body } = await upload([['file', bytes, 'f'], target]);
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
    expect(fakes.uploads).toEqual([]);
  });

  test('when a small body unpacks to far more than a form, of parts that are ignored', async () => {
    const bomb = await encoded([file, target, ['junk', Buffer.alloc(200 * 1024 * 1024), 'junk']]);
    const response = await gateway.call('POST', path, {
      body: gzipSync(bomb.body) as Buffer<ArrayBuffer>,
      headers: { 'content-type': bomb.type, 'content-encoding': 'gzip' },
    });
    const { code } = (await response.json()) as { code: string };
    expect([response.status, code]).toEqual([413, 'payload_too_large']);
    expect(fakes.uploads).toEqual([]);
  });

  test('when it is too large, before the client has sent it all', async () => {
    const sending = startSending('--b\r\n' + filePart);
    const result = once(sending, 'response');
    const timer = setInterval(() => sending.write(Buffer.alloc(256 * 1024)), 5);
    const [response] = await result;
    clearInterval(timer);
    expect(response.statusCode).toBe(413);
    sending.destroy();
  });

  test('before its body is asked for, when the key is wrong', async () => {
    const sending = httpRequest({
      port: gateway.port,
      host: '127.0.0.1',
      path,
      method: 'POST',
      headers: { expect: '100-continue', 'content-type': 'multipart/form-data; boundary=b' },
    });
    let continued = false;
    sending.on('continue', () => (continued = true));
    sending.flushHeaders();
    const [response] = await once(sending, 'response');
    expect([response.statusCode, continued]).toEqual([401, false]);
    sending.destroy();
  });

  test('with what ingest says of the document', async () => {
    fakes.uploadFails = new AppError('invalid_sbom', 'components/0/name is missing.');
    const { status, body } = await upload([file, target]);
    expect([status, body]).toEqual([
      400,
      { detail: 'components/0/name is missing.', code: 'invalid_sbom' },
    ]);
  });

  test('if it is a VEX document, with where it belongs', async () => {
    fakes.uploadFails = new AppError('vex_document', 'Import it.');
    const { status, body } = await upload([file, target]);
    expect([status, body]).toEqual([400, { detail: 'Import it.', code: 'vex_document' }]);
  });
});

describe('Uploads at once', () => {
  test('wait their turn, and are sent away when too many wait', async () => {
    let release: () => void = () => {};
    const untilReleased = new Promise<void>((resolve) => (release = resolve));
    fakes.beforeUploadResponse = () => untilReleased;
    const two = [upload([file, target]), upload([file, target])];
    await eventually(() => fakes.uploads.length === 2, { what: 'two are read' });
    const waiting = upload([file, target]);
    const fourth = await eventually(
      async () => {
        const response = await gateway.call('POST', path, { body: form([target]) });
        await response.arrayBuffer();
        return response.status === 503 && response;
      },
      { what: 'the queue is full' },
    );
    expect(fourth && fourth.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(fakes.uploads).toHaveLength(2);
    release();
    const responses = await Promise.all([...two, waiting]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
  });
});

describe('A client that goes away', () => {
  test('in the middle of the file leaves nothing behind and takes no place', async () => {
    for (let time = 0; time < 3; time += 1) {
      const sending = startSending('--b\r\n' + filePart + 'x'.repeat(2 * bytesInMemory));
      await eventually(async () => (await gateway.tempFiles()).length === 1, {
        what: 'the file is begun',
      });
      sending.destroy();
      await eventually(async () => (await gateway.tempFiles()).length === 0, {
        what: 'the file is gone',
      });
    }
    expect((await upload([file, target])).status).toBe(201);
    expect(gateway.errors).toEqual([]);
  });

  test('after the file but before the end leaves nothing behind', async () => {
    const large = 'x'.repeat(2 * bytesInMemory);
    const sending = startSending(
      `--b\r\n${filePart}${large}\r\n--b\r\nContent-Disposition: form-data; name="version"\r\n\r\n1`,
    );
    await eventually(async () => (await gateway.tempFiles()).length === 1, {
      what: 'the file is stored',
    });
    sending.destroy();
    await eventually(async () => (await gateway.tempFiles()).length === 0, {
      what: 'the file is gone',
    });
    expect(gateway.errors).toEqual([]);
  });
});

const filePart = 'Content-Disposition: form-data; name="file"; filename="f"\r\n\r\n';

/** Begins a multipart request with the boundary `b` and does not end it. */
function startSending(begin: string) {
  const sending = httpRequest({
    port: gateway.port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: {
      authorization: `Bearer ${bootstrapKey}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
  });
  sending.on('error', () => {});
  sending.write(begin);
  return sending;
}

async function encoded(parts: Part[]): Promise<{ type: string; body: Buffer }> {
  const response = new Response(form(parts));
  const type = response.headers.get('content-type') ?? '';
  return { type, body: Buffer.from(await response.arrayBuffer()) };
}
