import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as harness from '../testing/fake-data';
import { fakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

const json = { 'content-type': 'application/json' };
const noKey = { authorization: '' };
const { projectId } = harness;

async function response(method: string, path: string, init: RequestInit = {}) {
  const response = await gateway.call(method, path, init);
  const body = (await response.json()) as { code?: string; detail: unknown };
  return { status: response.status, code: body.code, detail: body.detail, response };
}

describe('A key is asked for first', () => {
  test.each([
    ['GET', '/api/v1/projects/no-uuid'],
    ['POST', '/api/v1/projects'],
    ['PUT', '/api/v1/projects'],
    ['GET', '/api/v1/nothing/here'],
    ['GET', '/api/v1/'],
    ['POST', '/api/v1/sboms/upload'],
  ])('%s %s without a key is 401', async (method, path) => {
    const found = await response(method, path, { headers: noKey });
    expect([found.status, found.code]).toEqual([401, 'missing_api_key']);
    expect(found.response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each(['Bearer nonsense', `Bearer bt_aaaaaaaaaaaa_${'a'.repeat(43)}`])(
    '%s is 401 invalid_api_key',
    async (authorization) => {
      const found = await response('GET', '/api/v1/projects', { headers: { authorization } });
      expect([found.status, found.code]).toEqual([401, 'invalid_api_key']);
    },
  );

  test('the scheme may be written in any case', async () => {
    const { status } = await response('GET', '/api/v1/projects', {
      headers: { authorization: `bEARER bt_bootstrap000_${'s'.repeat(43)}` },
    });
    expect(status).toBe(200);
  });
});

describe('Then the path and the method', () => {
  test('an unknown path is 404 with or without the prefix', async () => {
    for (const path of ['/api/v1/nothing', '/nothing', '/api/v1/projects/', '/%zz', '/API/V1/x']) {
      const found = await response('GET', path);
      expect([path, found.status, found.code]).toEqual([path, 404, 'not_found']);
    }
  });

  test('another method is 405 and names the ones that are served', async () => {
    const found = await response('PUT', '/api/v1/projects');
    expect([found.status, found.code]).toEqual([405, 'method_not_allowed']);
    expect(found.response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('the path of the upload is no SBOM', async () => {
    const found = await response('GET', '/api/v1/sboms/upload');
    expect([found.status, found.response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('OPTIONS answers 204 with Allow, HEAD as GET without a body', async () => {
    const options = await gateway.call('OPTIONS', '/healthz');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const head = await gateway.call('HEAD', `/api/v1/projects/${projectId}`);
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('Then the body can be read', () => {
  const post = (headers: Record<string, string>, body?: RequestInit['body']) =>
    response('POST', '/api/v1/projects?page=0', { headers, body });

  test.each([
    ['{"name":', 'malformed_json'],
    [' ', 'malformed_json'],
    [Buffer.from([0x22, 0xff, 0x22]), 'malformed_json'],
  ])('%j is 400 %s', async (body, code) => {
    const found = await post(json, body);
    expect([found.status, found.code]).toEqual([400, code]);
  });

  test.each(['text/plain', 'application/json; charset=latin1', 'multipart/form-data'])(
    'a body sent as %s is 400 unsupported_media_type',
    async (contentType) => {
      const found = await post({ 'content-type': contentType }, '{}');
      expect([found.status, found.code]).toEqual([400, 'unsupported_media_type']);
    },
  );

  test('a body over 1 MiB is 413', async () => {
    const found = await post(json, `"${'x'.repeat(1024 * 1024)}"`);
    expect([found.status, found.code]).toEqual([413, 'payload_too_large']);
  });

  test('a byte order mark is no fault', async () => {
    const found = await response('POST', '/api/v1/projects', {
      headers: json,
      body: '\uFEFF{"name":"Shop"}',
    });
    expect(found.status).toBe(201);
  });
});

describe('Then all fields together', () => {
  test('problems of the path, the query and the body come in one answer', async () => {
    const found = await response('PATCH', '/api/v1/projects/no-uuid', {
      headers: json,
      body: JSON.stringify({ name: 'x'.repeat(256), platform: 7 }),
    });
    const problems = found.detail as { loc: unknown; type: string }[];
    expect(found.status).toBe(422);
    expect(problems.map(({ loc, type }) => [loc, type])).toEqual([
      [['path', 'project_id'], 'uuid_parsing'],
      [['body', 'name'], 'string_too_long'],
      [['body', 'platform'], 'string_type'],
    ]);
  });

  test('an empty body is missing, whatever type it has', async () => {
    for (const headers of [{}, json, { 'content-type': 'text/plain' }]) {
      const found = await response('POST', '/api/v1/projects', { headers });
      expect(found.status).toBe(422);
      expect(found.detail).toMatchObject([{ loc: ['body'], type: 'missing' }]);
    }
  });

  test('a path that cannot be decoded is no UUID', async () => {
    const found = await response('GET', '/api/v1/projects/%zz?x=%zz');
    expect(found.detail).toMatchObject([{ loc: ['path', 'project_id'], input: '%zz' }]);
  });

  test('a body nested very deep is answered, not fatal', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const found = await response('POST', '/api/v1/projects', { headers: json, body: deep });
    expect(found.status).toBe(422);
  });
});

describe('Then what they name', () => {
  test.each([
    ['GET', `/api/v1/projects/${harness.missingId}`, 'project_not_found'],
    ['GET', `/api/v1/projects/${harness.missingId}/history`, 'project_not_found'],
    ['GET', `/api/v1/sboms/${harness.missingId}`, 'sbom_not_found'],
    ['GET', `/api/v1/sboms/${harness.missingId}/download`, 'sbom_not_found'],
    ['GET', `/api/v1/sboms/${harness.sbomId}/diff/${harness.missingId}`, 'sbom_not_found'],
    ['GET', `/api/v1/sboms/${harness.missingId}/diff/${harness.sbomId}`, 'sbom_not_found'],
    ['DELETE', `/api/v1/sboms/${harness.missingId}`, 'sbom_not_found'],
    ['DELETE', `/api/v1/vulnerabilities/acceptances/${harness.missingId}`, 'acceptance_not_found'],
  ])('%s %s is 404 %s', async (method, path, code) => {
    const found = await response(method, path);
    expect([found.status, found.code]).toEqual([404, code]);
  });

  test('a name that is taken is 409', async () => {
    const found = await response('POST', '/api/v1/projects', {
      headers: json,
      body: '{"name":"taken"}',
    });
    expect([found.status, found.code]).toEqual([409, 'project_name_taken']);
  });
});

describe('Request ids', () => {
  test('a usable one is taken over, another is replaced', async () => {
    const id = 'a.B:1-_'.padEnd(128, 'x');
    for (const [sent, taken] of [
      [id, true],
      [`${id}x`, false],
      ['a b', false],
    ] as const) {
      const { headers } = await gateway.call('GET', '/healthz', {
        headers: { 'x-request-id': sent },
      });
      expect(headers.get('x-request-id') === sent).toBe(taken);
      expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
    }
  });
});

test('What is no HTTP is answered with 400 and an id', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write('NONSENSE\r\n\r\n');
  const result = await text(socket);
  expect(result).toMatch(/^HTTP\/1\.1 400 /);
  expect(result).toMatch(/X-Request-Id: \S+/);
  expect(result).toContain('"code":"malformed_body"');
});
