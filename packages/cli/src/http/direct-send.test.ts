import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { makeCertificate } from '@bomtrail/testkit';
import { directSend } from './direct-send';
import { networkFailure } from './network-failure';
import { countedBody, sendingBy, type Sending } from './sending';

let respond: RequestListener;
let server: Server;
const url = (path = '/'): URL =>
  new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
const request = (given: object = {}): Parameters<Sending>[1] => ({
  method: 'GET',
  headers: {},
  signal: AbortSignal.timeout(10_000),
  ...given,
});

beforeAll(async () => {
  server = createServer((received, response) => respond(received, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe.each<[string, Sending]>([
  ['without a proxy', directSend],
  ['by fetch', sendingBy(fetch)],
])('%s', (_, send) => {
  test('a body arrives whole, and a packed answer is unpacked', async () => {
    respond = (received, response) => {
      void received.toArray().then((chunks: Buffer[]) => {
        response.setHeader('content-encoding', 'gzip');
        const { method, headers } = received;
        const { length } = Buffer.concat(chunks);
        const told = [method, headers['x-of'], headers['content-length'], length];
        response.writeHead(201, { 'x-back': 'b' }).end(gzipSync(JSON.stringify(told)));
      });
    };
    const bytes = Buffer.alloc(300_000, 'x');
    const headers = { 'x-of': 'a', 'content-length': '300000' };
    const body = countedBody(bytes, () => {});
    const response = await send(url(), request({ method: 'POST', headers, body }));
    expect([response.ok, response.status, response.headers.get('X-Back')]).toEqual([
      true,
      201,
      'b',
    ]);
    expect(await response.json()).toEqual(['POST', 'a', '300000', 300_000]);
  });

  test('a redirect is not followed', async () => {
    respond = (_received, response) => {
      response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
    };
    const response = await send(url(), request());
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'https://elsewhere.example/',
    ]);
  });

  test('a connection that breaks in the middle of an answer may be retried', async () => {
    respond = (_received, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      setTimeout(() => response.destroy(), 20);
    };
    const failed = await send(url(), request()).catch((error: unknown) => error);
    expect(networkFailure(failed)).toMatchObject({ isTransient: true, beforeSending: false });
  });

  test('a server that is not there is one to which nothing was sent', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const failed = await send(new URL(`http://127.0.0.1:${port}/`), request()).catch(
      (error: unknown) => error,
    );
    expect(networkFailure(failed)).toMatchObject({ isTransient: true, beforeSending: true });
  });

  test('a response that takes too long is a failure to try again', async () => {
    respond = () => {};
    const signal = AbortSignal.timeout(50);
    const failed = await send(url(), request({ signal })).catch((error: unknown) => error);
    expect(networkFailure(failed)).toMatchObject({
      reason: expect.stringContaining('timeout'),
      isTransient: true,
    });
  });

  test('an answer before the body has arrived is the answer', async () => {
    respond = (received, response) => {
      response.writeHead(413).end('{}');
      received.resume();
    };
    const bytes = Buffer.alloc(5_000_000);
    const headers = { 'content-length': '5000000' };
    const body = countedBody(bytes, () => {});
    expect((await send(url(), request({ method: 'POST', headers, body }))).status).toBe(413);
  });

  test('a certificate that nobody knows is refused, for good', async () => {
    const { crt: cert, key } = await makeCertificate('localhost');
    const secure = createTlsServer({ cert, key }).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    const target = new URL(`https://localhost:${port}/`);
    const failed = await send(target, request()).catch((error: unknown) => error);
    secure.close();
    expect(networkFailure(failed)).toMatchObject({
      reason: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
      isTransient: false,
    });
  });
});
