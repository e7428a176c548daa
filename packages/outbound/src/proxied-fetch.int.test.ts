import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate, startForwardProxy, type ForwardProxy } from '@bomtrail/testkit';
import { proxiedFetch } from './proxied-fetch';
import { readProxies } from './proxies';

let proxy: ForwardProxy;
let plain: Server;
let secure: Server;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  proxy = await startForwardProxy();
  const answer: Parameters<typeof createServer>[1] = (request, response) => {
    const told = JSON.stringify([request.url, request.headers['proxy-authorization'] ?? null]);
    response.end(told);
  };
  const { crt: cert, key } = await makeCertificate('localhost');
  plain = createServer(answer).listen(0, '127.0.0.1');
  secure = createTlsServer({ cert, key }, answer).listen(0, '127.0.0.1') as unknown as Server;
  await Promise.all([plain, secure].map((server) => once(server, 'listening')));
});

afterAll(async () => {
  for (const server of [plain, secure]) server.closeAllConnections();
  for (const server of [plain, secure]) server.close();
  await proxy.stop();
});

test('http and https targets are reached through the proxy, which alone gets the password', async () => {
  const fetch = proxiedFetch(readProxies({ HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url }));
  const response = await fetch(`http://localhost:${portOf(plain)}/a`);
  expect(await response.json()).toEqual(['/a', null]);
  expect(proxy.seen).toEqual([`localhost:${portOf(plain)}`]);
  // A certificate that nobody knows is refused through a proxy as well.
  const refused = fetch(`https://localhost:${portOf(secure)}/b`);
  await expect(refused).rejects.toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
  expect(proxy.seen).toEqual([`localhost:${portOf(plain)}`, `localhost:${portOf(secure)}`]);
});

test('a proxy that wants a password says so, and NO_PROXY goes past it', async () => {
  proxy.seen.length = 0;
  const proxies = { HTTPS_PROXY: proxy.urlOf(''), HTTP_PROXY: proxy.urlOf('') };
  const fetch = proxiedFetch(readProxies(proxies));
  for (const target of [
    `http://localhost:${portOf(plain)}/a`,
    `https://localhost:${portOf(secure)}/b`,
  ])
    await expect(fetch(target)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/407.*\(proxy 127\.0\.0\.1:\d+\)/) },
    });
  const past = proxiedFetch(readProxies({ ...proxies, NO_PROXY: 'localhost' }));
  expect((await past(`http://localhost:${portOf(plain)}/c`)).status).toBe(200);
  expect(proxy.seen).toEqual([]);
});
