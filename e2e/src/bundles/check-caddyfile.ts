import { strict as assert } from 'node:assert';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { freePorts } from '@bomtrail/embedded';
import { eventually } from '@bomtrail/testkit';
import { repositoryRoot } from '../support/real-data';

const half = 10 * 1024 * 1024;

/** What the stand-in for the gateway has seen. */
interface Seen {
  bytes: number;
  waiting: number;
  gone: number;
}

/**
 * Holds the proxy of the containers to what is expected of it, with real requests through a real Caddy
 * before stand-ins. Gives false where no `caddy` is on the PATH. @throws AssertionError when it is not so
 */
export async function checkCaddyfile(): Promise<boolean> {
  if (!(await isInstalled())) return false;
  const seen: Seen = { bytes: 0, waiting: 0, gone: 0 };
  const rest = createServer(gateway(seen));
  const host = createServer((_request, response) => response.end('node_load1 1\n'));
  const grpc = createHttp2Server();
  grpc.on('stream', (stream, headers) => {
    stream.respond({ 'x-saw': String(headers['x-forwarded-for']) });
    stream.pipe(stream);
  });
  const behind = await Promise.all([rest, host, grpc].map(listening));
  const [toRest, toHost, toGrpc] = behind;
  const env = {
    BOMTRAIL_GATEWAY: toRest,
    BOMTRAIL_HOST_METRICS: toHost,
    BOMTRAIL_GATEWAY_GRPC: toGrpc,
    TRUSTED_PROXIES: '192.0.2.0/24',
  };
  try {
    await withCaddy(env, async (port, grpcPort) => {
      await checkRoutes(`http://127.0.0.1:${port}`);
      await checkBodies(port, seen);
      await checkGrpc(grpcPort);
    });
    const inside = { ...env, BOMTRAIL_HOST_METRICS_FROM: '198.51.100.0/24 192.0.2.0/24' };
    await withCaddy(inside, async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      assert.match(await answer.text(), /^gateway \/metrics/);
    });
    await withCaddy({ ...env, BOMTRAIL_HOST_METRICS_FROM: 'private_ranges' }, async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      assert.equal(await answer.text(), 'node_load1 1\n');
    });
  } finally {
    for (const server of [rest, host, grpc]) server.close();
    rest.closeAllConnections();
    host.closeAllConnections();
  }
  return true;
}

/** Runs a Caddy of its own, on free ports. */
async function withCaddy(
  settings: NodeJS.ProcessEnv,
  work: (port: number, grpcPort: number) => Promise<void>,
): Promise<void> {
  const [port = 0, grpcPort = 0] = await freePorts(2);
  const caddyfile = path.join(repositoryRoot, 'deploy', 'proxy', 'Caddyfile');
  const caddy = spawn('caddy', ['run', '--config', caddyfile, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env['PATH'],
      HOME: tmpdir(),
      BOMTRAIL_SITE: `:${port}`,
      BOMTRAIL_GRPC_SITE: `http://:${grpcPort}`,
      ...settings,
    },
    stdio: 'ignore',
  });
  const ended = once(caddy, 'close');
  try {
    const base = `http://127.0.0.1:${port}`;
    await eventually(async () => (await fetch(base)).ok, { what: 'Caddy answers' });
    await work(port, grpcPort);
  } finally {
    caddy.kill('SIGTERM');
    await ended;
  }
}

async function checkRoutes(base: string): Promise<void> {
  assert.equal(await (await fetch(`${base}/metrics`)).text(), 'node_load1 1\n');
  for (const file of ['/internal/metrics', '/metrics/', '/healthz']) {
    assert.match(await (await fetch(base + file)).text(), /^gateway /);
  }
  const made = { headers: { 'x-forwarded-for': '198.51.100.1' } };
  assert.equal(await (await fetch(base, made)).text(), 'gateway / for 127.0.0.1');
}

/** Bodies pass while they come; who is refused hears it at once; who goes is gone behind it, too. */
async function checkBodies(port: number, seen: Seen): Promise<void> {
  const at = { port, host: '127.0.0.1', method: 'POST' };
  const upload = request({ ...at, path: '/count', headers: { 'content-length': 2 * half } });
  upload.write(Buffer.alloc(half));
  const within = 20_000;
  await eventually(() => seen.bytes === half, { within, what: 'half of the upload is through' });
  upload.end(Buffer.alloc(half));
  const [counted] = (await once(upload, 'response')) as [IncomingMessage];
  assert.equal(await text(counted), String(2 * half));

  const refused = request({ ...at, path: '/refuse', headers: { 'content-length': 1e9 } });
  refused.on('error', () => undefined);
  refused.write(Buffer.alloc(1024));
  const signal = AbortSignal.timeout(within);
  const [early] = (await once(refused, 'response', { signal })) as [IncomingMessage];
  assert.equal(early.statusCode, 413);
  refused.destroy();

  const waiting = request({ ...at, method: 'GET', path: '/wait' });
  waiting.on('error', () => undefined);
  waiting.end();
  await eventually(() => seen.waiting === 1, { within, what: 'the reader waits' });
  waiting.destroy();
  await eventually(() => seen.gone === 1, { within, what: 'the reader is gone' });
}

async function checkGrpc(port: number): Promise<void> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const call = session.request({
    ':method': 'POST',
    ':path': '/x',
    'x-forwarded-for': '198.51.100.1',
  });
  call.end('hello');
  const [headers] = (await once(call, 'response')) as [Record<string, string>];
  assert.deepEqual([headers['x-saw'], await text(call)], ['127.0.0.1', 'hello']);
  session.destroy();
}

function gateway(seen: Seen): RequestListener {
  return (incoming, response) => {
    const { url, headers } = incoming;
    if (url === '/count') {
      incoming.on('data', (chunk: Buffer) => (seen.bytes += chunk.length));
      incoming.on('end', () => response.end(String(seen.bytes)));
    } else if (url === '/refuse') response.writeHead(413).end();
    else if (url === '/wait') {
      seen.waiting += 1;
      response.once('close', () => (seen.gone += 1));
    } else response.end(`gateway ${url} for ${String(headers['x-forwarded-for'])}`);
  };
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function isInstalled(): Promise<boolean> {
  return promisify(execFile)('caddy', ['version']).then(
    () => true,
    () => false,
  );
}
