import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@bomtrail/testkit';
import { sbomId } from '../testing/fake-data';
import { fakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ UPLOAD_CONCURRENCY: 1 });
  fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

/** A plain HTTP request, its body as it travels. */
function raw(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const sent = { authorization: `Bearer ${bootstrapKey}`, ...headers };
      httpRequest({ port: gateway.port, path, headers: sent }, (response) => {
        buffer(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

function open(lines: string[]): Socket {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write([...lines, '', ''].join('\r\n'));
  return socket;
}

describe('Entity tags', () => {
  test.each(['', '/download'])('GET /sboms/{id}%s is 304 for who has it', async (suffix) => {
    const path = `/api/v1/sboms/${sbomId}${suffix}`;
    for (const encoding of ['identity', 'gzip']) {
      const first = await raw(path, { 'accept-encoding': encoding });
      const etag = String(first.headers.etag);
      const again = await raw(path, {
        'accept-encoding': encoding,
        'if-none-match': etag,
        'cache-control': 'no-cache',
      });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
      expect(again.headers['content-length']).toBeUndefined();
      const other = await raw(path, { 'accept-encoding': encoding, 'if-none-match': '"other"' });
      expect([other.status, other.body.equals(first.body)]).toEqual([200, true]);
    }
  });
});

describe('Answers are packed when that is asked for', () => {
  const path = '/api/openapi.json';

  test('with gzip or brotli, and as they are otherwise', async () => {
    const plain = await raw(path, { 'accept-encoding': 'identity' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const gzip = await raw(path, { 'accept-encoding': 'gzip' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    const brotli = await raw(path, { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(String(gzip.headers.vary)).toMatch(/accept-encoding/i);
  });
});

describe('/metrics, which the proxy answers', () => {
  test.each([
    ['POST', 405, 'GET, HEAD, OPTIONS'],
    ['DELETE', 405, 'GET, HEAD, OPTIONS'],
    ['OPTIONS', 204, 'GET, HEAD, OPTIONS'],
    ['GET', 404, null],
  ])('is %s → %d here', async (method, status, allow) => {
    const { status: result, headers } = await gateway.call(method, '/metrics');
    expect([result, headers.get('allow')]).toEqual([status, allow]);
    expect(headers.get('x-request-id')).not.toBeNull();
  });
});

describe('Fields that an operation does not know', () => {
  test('of a JSON body are named in a warning, beside that of the query', async () => {
    const body = { project_id: sbomId, vulnerability_id: 'CVE-2024-1', expire_at: 'x', 'ü"': 1 };
    const { status, headers } = await gateway.call(
      'POST',
      '/api/v1/vulnerabilities/acceptances?x',
      { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    );
    expect(status).toBe(422);
    expect(headers.get('warning')).toBe(
      [
        `299 - "unknown query parameter 'x' is ignored"`,
        `299 - "unknown field 'expire_at' is ignored"`,
        `299 - "unknown field '%C3%BC%22' is ignored"`,
      ].join(', '),
    );
  });

  test('of an upload are named, too', async () => {
    const form = new FormData();
    form.set('service', 'api');
    form.set('file', new Blob(['{}']), 'a.json');
    const { headers } = await gateway.call('POST', '/api/v1/sboms/upload', { body: form });
    expect(headers.get('warning')).toBe(`299 - "unknown field 'service' is ignored"`);
  });
});

describe('Query parameters that an operation does not know', () => {
  const warningOf = async (path: string): Promise<[number, string | null]> => {
    const { status, headers } = await gateway.call('GET', path);
    return [status, headers.get('warning')];
  };

  test('are named in a warning by the operations of the specification, also with an error', async () => {
    const active = '/api/v1/vulnerabilities/active';
    const said = (name: string) => `299 - "unknown query parameter '${name}' is ignored"`;
    expect(await warningOf(`${active}?severity=high`)).toEqual([200, null]);
    expect(await warningOf(`${active}?serverity=critical&severity=high&x=1`)).toEqual([
      200,
      `${said('serverity')}, ${said('x')}`,
    ]);
    expect(await warningOf(`${active}?serverity=critical&page=x`)).toEqual([
      422,
      said('serverity'),
    ]);
    expect(await warningOf('/healthz?x')).toEqual([200, said('x')]);
  });

  test('are written so that they break no header, and show no key', async () => {
    const [, warning] = await warningOf(`/healthz?a%22b%0d%0ac%C3%BC&${bootstrapKey}=1`);
    expect(warning).toContain("'a%22b%0D%0Ac%C3%BC'");
    expect(warning).not.toContain('s'.repeat(43));
  });

  test('are refused by additive operations', async () => {
    const response = await gateway.call('GET', `/api/v1/sboms/${sbomId}/verdict?failon=low`);
    expect([response.status, response.headers.get('warning')]).toEqual([422, null]);
    expect(await response.json()).toEqual({
      detail: [
        {
          loc: ['query', 'failon'],
          msg: 'Extra inputs are not permitted',
          type: 'extra_forbidden',
        },
      ],
    });
  });

  test('do not hide one that comes after a thousand of them', async () => {
    const response = await gateway.call('GET', `/api/v1/projects?${'a=&'.repeat(2_000)}page=x`);
    expect(response.status).toBe(422);
  });
});

describe('What is too long', () => {
  test.each([
    ['a path', `GET /api/v1/${'x'.repeat(20_000)} HTTP/1.1`, ''],
    ['a query', `GET /api/v1/projects?name=${'x'.repeat(20_000)} HTTP/1.1`, ''],
    ['a header', 'GET /api/v1/projects HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`],
  ])('%s over 16 KiB is 431', async (_what, line, header) => {
    const result = await text(open([line, 'Host: x', ...(header ? [header] : [])]));
    expect(result).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(result).toContain('"code":"headers_too_large"');
    expect(result).toMatch(/X-Request-Id: \S+/);
  });
});

describe('A client that sends a byte a second', () => {
  const boundary = 'b';
  const head = (path: string, type: string) => [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${bootstrapKey}`,
    `Content-Type: ${type}`,
    'Content-Length: 100000',
  ];

  test.each([
    ['an upload', '/api/v1/sboms/upload', `multipart/form-data; boundary=${boundary}`],
    ['a JSON body', '/api/v1/projects', 'application/json'],
  ])('is answered with 408 in %s, and holds no place and no file', async (_what, path, type) => {
    const socket = open(head(path, type));
    socket.write(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n`,
    );
    const drip = setInterval(() => socket.write('x'), 1_000);
    const result = new Promise<string>((resolve) => {
      socket.once('data', (chunk) => resolve(chunk.toString()));
    });
    try {
      expect(await result).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
      await eventually(async () => (await gateway.tempFiles()).length === 0, {
        what: 'no temporary file is left',
      });
      const form = new FormData();
      form.append('project_slug', 'web-shop');
      form.append('file', new Blob(['{}']), 'bom.json');
      const next = await gateway.call('POST', '/api/v1/sboms/upload', { body: form });
      expect(next.status).toBe(201);
    } finally {
      clearInterval(drip);
      socket.destroy();
    }
  });
});

test('The API page is read only', async () => {
  const posted = await gateway.call('POST', '/api/docs');
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});
