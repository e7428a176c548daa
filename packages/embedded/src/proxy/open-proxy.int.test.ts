import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnManaged, stopProcess, type ManagedProcess } from '../processes/managed-process';
import { repositoryRoot } from '../repository';
import { freePorts } from '../servers/free-port';
import { poll } from '../testing/poll';

const servers: Server[] = [];
const proxies: ManagedProcess[] = [];
const program = join(repositoryRoot(), 'packages', 'embedded', 'dist', 'proxy', 'main.js');

afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => stopProcess(proxy, 5_000)));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server };
}

/** The proxy as it is run, before stand-ins that answer so; `output` is what it has logged. */
async function proxyTo(...gateways: RequestListener[]) {
  const collector = await listening((_request, response) => response.end('node_load1 1\n'));
  const internal = await listening((_request, response) => response.end());
  const behind = await Promise.all(gateways.map(listening));
  const [port = 0, ready = 0] = await freePorts(2);
  const output: string[] = [];
  const proxy = await spawnManaged({
    command: process.execPath,
    args: [program],
    env: {
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      INTERNAL_HTTP_PORT: String(ready),
      GATEWAYS: behind.map((gateway) => `${gateway.port}/${internal.port}`).join(),
      HOST_METRICS_PORT: String(collector.port),
    },
    onOutput: (chunk) => void output.push(chunk.toString()),
  });
  proxies.push(proxy);
  await poll('the proxy is ready', async () => {
    const answer = await fetch(`http://127.0.0.1:${ready}/readyz`).catch(() => undefined);
    return answer?.ok || undefined;
  });
  return { base: `http://127.0.0.1:${port}`, port, behind, output };
}

/** Tells what it was asked. */
const echo: RequestListener = (incoming, response) => {
  const { method, url, headers } = incoming;
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ method, url, forwarded: headers['x-forwarded-for'], host: headers.host }),
  );
};

/** What comes back for bytes on a bare connection, until it is closed. */
async function onLine(port: number, lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

test('/metrics is the collector, and everything else the gateway, however it is asked', async () => {
  const { base, port } = await proxyTo(echo);
  const metrics = await fetch(`${base}/metrics?x=1`, { headers: { 'x-request-id': 'mine' } });
  expect(await metrics.text()).toBe('node_load1 1\n');
  expect(metrics.headers.get('x-request-id')).toBe('mine');
  for (const path of ['/internal/metrics', '//metrics', '/metrics/', '/healthz', '/readyz?a=b']) {
    expect(await (await fetch(base + path)).json()).toMatchObject({ method: 'GET', url: path });
  }
  const post = await fetch(`${base}/metrics`, { method: 'POST' });
  expect(await post.json()).toMatchObject({ method: 'POST', url: '/metrics' });
  // Who names another address gets the gateway, not what listens there.
  const [absolute, tunnel, nameless] = await Promise.all([
    onLine(port, ['GET http://127.0.0.1:1/internal HTTP/1.1', 'Host: 127.0.0.1:1']),
    onLine(port, ['CONNECT 127.0.0.1:1 HTTP/1.1', 'Host: 127.0.0.1:1']),
    onLine(port, ['GET / HTTP/1.1']),
  ]);
  expect(absolute).toContain('"url":"/internal"');
  expect(tunnel).toMatch(/^HTTP\/1\.1 405 /);
  expect(nameless).toMatch(/^HTTP\/1\.1 400 [\s\S]*has no Host header/);
});

test('the gateway reads last in X-Forwarded-For who has connected, whatever the client wrote', async () => {
  const { base } = await proxyTo(echo);
  const forwarded = async (headers: Record<string, string>) =>
    ((await (await fetch(base, { headers })).json()) as { forwarded: string }).forwarded;
  expect(await forwarded({})).toBe('127.0.0.1');
  expect(await forwarded({ 'x-forwarded-for': '192.0.2.1' })).toBe('192.0.2.1, 127.0.0.1');
});

test('an upload is passed on while it still comes', async () => {
  const half = 10 * 1024 * 1024;
  let received = 0;
  const { port } = await proxyTo((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (received += chunk.length));
    incoming.on('end', () => response.end(String(received)));
  });
  const upload = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'content-length': 2 * half },
  });
  upload.write(Buffer.alloc(half));
  await poll('the first half is through', () => received === half || undefined);
  upload.end(Buffer.alloc(half));
  const [answer] = (await once(upload, 'response')) as [IncomingMessage];
  expect(await text(answer)).toBe(String(2 * half));
});

test('a client that asks first whether it may send is told so', async () => {
  const { port } = await proxyTo((incoming, response) => void incoming.pipe(response));
  const upload = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { expect: '100-continue', 'content-length': 5 },
  });
  upload.flushHeaders();
  await once(upload, 'continue');
  upload.end('hello');
  const [answer] = (await once(upload, 'response')) as [IncomingMessage];
  expect(await text(answer)).toBe('hello');
});

test('an answer before the end of an upload arrives, and the line stays in use', async () => {
  const { port } = await proxyTo((_incoming, response) => {
    response.writeHead(413, { 'content-length': 3 });
    response.end('big');
  });
  const upload = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'content-length': 1e9 },
  });
  upload.on('error', () => undefined);
  upload.write(Buffer.alloc(1024 * 1024));
  const [answer] = (await once(upload, 'response')) as [IncomingMessage];
  expect([answer.statusCode, await text(answer)]).toEqual([413, 'big']);
  upload.destroy();
});

test('answers 503 in the shape of the contract while no gateway is there, and goes on after it', async () => {
  const { base, behind, output } = await proxyTo(echo);
  const [gateway] = behind;
  if (gateway === undefined) throw new Error('no gateway was started');
  gateway.server.closeAllConnections();
  gateway.server.close();
  await once(gateway.server, 'close');
  const answer = await fetch(`${base}/api/v1/projects`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await answer.json()).toMatchObject({ code: 'service_unavailable' });
  await poll(
    'it has said so',
    () => output.join('').includes('could not be passed on') || undefined,
  );
  gateway.server.listen(gateway.port, '127.0.0.1');
  await once(gateway.server, 'listening');
  expect((await fetch(base)).status).toBe(200);
});

test('an answer that breaks off does not look whole', async () => {
  const { base } = await proxyTo((_incoming, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half', () => response.destroy());
  });
  await expect(fetch(base).then((answer) => answer.text())).rejects.toThrow('terminated');
});

test('a reader who has gone is gone for the gateway, too', async () => {
  let [arrived, closed] = [false, false];
  const { port } = await proxyTo((_incoming, response) => {
    arrived = true;
    response.once('close', () => (closed = true));
  });
  const waiting = request({ port, host: '127.0.0.1', path: '/wait' });
  waiting.on('error', () => undefined);
  waiting.end();
  await poll('it has arrived', () => arrived || undefined);
  waiting.destroy();
  await poll('the gateway has seen it', () => closed || undefined);
});

test('with one of two gateways gone every request is answered by the other', async () => {
  const { base, behind } = await proxyTo(echo, echo);
  await Promise.all(Array.from({ length: 8 }, () => fetch(base).then((answer) => answer.text())));
  behind[0]?.server.closeAllConnections();
  behind[0]?.server.close();
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const method = index % 2 === 0 ? 'GET' : 'POST';
      return (await fetch(base, { method, ...(method === 'POST' ? { body: 'x' } : {}) })).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});
