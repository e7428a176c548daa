import { afterEach, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { proxiedFetch, readProxies } from '@bomtrail/outbound';
import { eventually, startForwardProxy } from '@bomtrail/testkit';
import { writeZip } from '../../testing/write-zip';
import { writeCursor } from './http-cursor';
import { createHttpSource } from './http-source';
import type { Edition, KnownEdition, Opened } from './source';

const servers: Server[] = [];
const never = new AbortController().signal;
const nothing: KnownEdition = {
  fingerprint: null,
  hasUnread: false,
  findHeaders: async () => new Map(),
};

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers so, as a source with short patience. */
async function sourceBehind(listener: RequestListener, credentials = '', query = '') {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = { responseMs: 1_000, stallMs: 1_000, totalMs: 3_000 };
  const base = `http://${credentials}127.0.0.1:${port}/osv/${query}`;
  return createHttpSource(base, { http, fullIntervalMs: 3_600_000 });
}

async function partsBehind(listener: RequestListener, ecosystems: string[]) {
  return (await sourceBehind(listener)).only(ecosystems).list(never);
}

async function partBehind(listener: RequestListener) {
  const [part] = await partsBehind(listener, ['npm']);
  if (!part) throw new Error('the source lists nothing');
  return part;
}

function taken(opened: Opened): Edition {
  if (typeof opened === 'string') throw new Error(`the part is ${opened}`);
  return opened;
}

async function namesIn(edition: Edition): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of edition.files()) names.push(name);
  return names.sort();
}

test.each<[string, RequestListener, RegExp]>([
  ['never answers', () => {}, /did not answer in time/],
  [
    'stops in the middle',
    (_request, response) => void response.write('PK'),
    /did not answer in time/,
  ],
  [
    'sends a byte now and then for ever',
    (_request, response) => {
      const timer = setInterval(() => response.write('P'), 50);
      response.on('close', () => clearInterval(timer));
    },
    /took too long/,
  ],
  [
    'closes the connection in the middle',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('PK');
      setImmediate(() => response.destroy());
    },
    /could not be read/,
  ],
  ['fails', (_request, response) => void response.writeHead(500).end(), /status 500/],
  [
    'sends no zip file',
    (_request, response) => void response.end('hello'),
    /not a complete zip file/,
  ],
  [
    'leads to another server',
    (_request, response) =>
      void response.writeHead(302, { location: 'http://127.0.0.2:1/npm/all.zip' }).end(),
    /redirected to 127\.0\.0\.2:1/,
  ],
  [
    'leads round in circles',
    (request, response) => void response.writeHead(302, { location: request.url }).end(),
    /too many redirects/,
  ],
])(
  'a server that %s is a failure with a reason, within a bounded time',
  async (_what, listener, reason) => {
    const part = await partBehind(listener);
    await expect(part.open(nothing, never)).rejects.toThrow(reason);
  },
);

test('a redirect within the server is followed', async () => {
  const part = await partBehind((request, response) => {
    if (request.url === '/there') response.end(writeZip({ 'A-1.json': '{}' }));
    else response.writeHead(301, { location: '/there' }).end();
  });
  const edition = taken(await part.open(nothing, never));
  expect(await namesIn(edition)).toEqual(['A-1.json']);
  await edition.close();
});

test('a file that the server does not have is absent, not failed', async () => {
  const part = await partBehind((_request, response) => void response.writeHead(404).end());
  expect(await part.open(nothing, never)).toBe('absent');
});

test('an unreachable server is not tried again for the next ecosystem', async () => {
  let requests = 0;
  const parts = await partsBehind(() => void (requests += 1), ['npm', 'PyPI', 'Go']);
  for (const part of parts) await expect(part.open(nothing, never)).rejects.toThrow(/in time/);
  expect(requests).toBe(1);
});

test.each([429, 503])('a server that asks to wait (%i) is not asked before', async (status) => {
  let requests = 0;
  const source = await sourceBehind((_request, response) => {
    requests += 1;
    response.writeHead(status, { 'retry-after': '1' }).end();
  });
  const open = async () => {
    const [part] = await source.only(['npm']).list(never);
    return part?.open(nothing, never);
  };
  await expect(open()).rejects.toThrow(`status ${status}`);
  await expect(open()).rejects.toThrow(/asked to wait until 20/);
  expect(requests).toBe(1);
  const isAskedAgain = async () => {
    await expect(open()).rejects.toThrow(`status ${status}`);
  };
  await eventually(isAskedAgain, { what: 'the server is asked again' });
  expect(requests).toBe(2);
});

test('a name with a space is encoded, and credentials of the address travel in a header only', async () => {
  const requests: (string | undefined)[] = [];
  const source = await sourceBehind((request, response) => {
    requests.push(request.url, request.headers.authorization);
    response.writeHead(500).end();
  }, 'me:pass%20word@');
  expect(source.origin).not.toContain('pass');
  const [part] = await source.only(['Red Hat']).list(never);
  await expect(part?.open(nothing, never)).rejects.toThrow(/^((?!pass).)*$/);
  const basic = Buffer.from('me:pass word').toString('base64');
  expect(requests).toEqual(['/osv/Red%20Hat/all.zip', `Basic ${basic}`]);
});

test('a query of the address, a token for instance, goes with each request and stands nowhere else', async () => {
  const requests: (string | undefined)[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request.url);
    response.writeHead(500).end();
  };
  const source = await sourceBehind(listener, '', '?token=secret#part');
  expect(source.origin).not.toContain('secret');
  const [part] = await source.only(['npm']).list(never);
  await expect(part?.open(nothing, never)).rejects.toThrow(/^((?!secret).)*$/);
  expect(requests).toEqual(['/osv/npm/all.zip?token=secret']);
});

test('an invalid address is rejected without printing it', () => {
  const http = { responseMs: 1, stallMs: 1, totalMs: 1 };
  const make = () => createHttpSource('https://me:secret@no host/', { http, fullIntervalMs: 1 });
  expect(make).toThrow('BOMTRAIL_ADVISORY_SOURCE is not a valid URL');
});

/** A server that lists these records and has each of them, but for those in `refused`. */
function listing(lines: readonly string[], refused: ReadonlySet<string> = new Set()) {
  const requests: string[] = [];
  const listener: RequestListener = ({ url = '' }, response) => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    if (name !== 'modified_id.csv') requests.push(name.replace('.json', ''));
    if (refused.has(name)) response.writeHead(503).end();
    else response.end(name === 'modified_id.csv' ? lines.join('\n') : '{}');
  };
  return { listener, requests };
}

/** What is known of a part of which the zip was taken a moment ago, and of its list up to `since`. */
const knownSince = (since: number): KnownEdition => ({
  ...nothing,
  fingerprint: writeCursor({ zip: 'etag "1"', list: null, since, fullAt: Date.now() }),
});

test('a record of a time that is still to come hides none that is listed after it', async () => {
  const now = Date.now();
  const at = (ms: number): string => new Date(ms).toISOString();
  const { listener } = listing([`${at(now + 9e10)},LATER-1`, `${at(now)},A-1`]);
  const part = await partBehind(listener);
  const first = taken(await part.open(knownSince(now - 1000), never));
  await first.close();
  const again = taken(await part.open({ ...nothing, fingerprint: first.fingerprint }, never));
  expect(await namesIn(again)).toEqual(['A-1.json', 'LATER-1.json']);
  await again.close();
});

test('a stored record of a time that is still to come is read again once its time is another', async () => {
  const now = Date.now();
  const ahead = new Date(now + 9e10).toISOString();
  const header = { modified: ahead, labels: ['npm'] };
  const stored = { ...knownSince(now - 1000), findHeaders: async () => new Map([['A-1', header]]) };
  const listed = async (time: string): Promise<string[]> => {
    const part = await partBehind(listing([`${time},A-1`]).listener);
    const edition = taken(await part.open(stored, never));
    await edition.close();
    return namesIn(edition);
  };
  expect(await listed(new Date(now).toISOString())).toEqual(['A-1.json']);
  expect(await listed(ahead)).toEqual([]);
});

test('a zip of a time that is still to come hides nothing that is listed after it', async () => {
  const now = Date.now();
  const listed = `${new Date(now).toISOString()},A-1`;
  const part = await partBehind(({ url = '' }, response) => {
    if (url.endsWith('modified_id.csv')) return void response.end(listed);
    response.setHeader('last-modified', new Date(now + 48 * 3600_000).toUTCString());
    response.end(url.endsWith('all.zip') ? writeZip({ 'OLD-1.json': '{}' }) : '{}');
  });
  const whole = taken(await part.open(nothing, never));
  await whole.close();
  expect(whole.completeUpTo?.getTime()).toBeLessThan(now);
  const next = taken(await part.open({ ...nothing, fingerprint: whole.fingerprint }, never));
  expect(await namesIn(next)).toEqual(['A-1.json']);
  await next.close();
});

test('a few rejected records are requested again, many fail the part', async () => {
  const now = Date.now();
  const line = (name: string, age: number): string =>
    `${new Date(now - age).toISOString()},${name}`;
  const hour = 3600_000;
  const lines = [line('A-1', 0), line('A-2', hour), line('BAD-1', 9 * hour)];
  const { listener, requests } = listing(lines, new Set(['BAD-1.json']));
  const part = await partBehind(listener);
  const first = taken(await part.open(knownSince(now - 24 * hour), never));
  const read: string[] = [];
  for await (const file of first.files())
    await file.read().then(
      () => read.push(file.name),
      (error: Error) => read.push(error.message),
    );
  expect(read).toEqual(['A-1.json', 'A-2.json', expect.stringContaining('BAD-1.json')]);
  await first.close();
  requests.length = 0;
  const again = taken(await part.open({ ...nothing, fingerprint: first.fingerprint }, never));
  expect(requests.sort()).toEqual(['A-1', 'A-2', 'BAD-1']);
  await again.close();

  const names = Array.from({ length: 40 }, (_one, n) => `B-${n}`);
  const failing = listing(
    names.map((name) => line(name, 0)),
    new Set(names.slice(0, 20).map((name) => `${name}.json`)),
  );
  const other = await partBehind(failing.listener);
  await expect(other.open(knownSince(now - hour), never)).rejects.toThrow('status 503');
});

test('with a proxy, a source is loaded through it alone', async () => {
  const proxy = await startForwardProxy();
  const server = createServer((_request, response) => void response.end('PK'));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const direct = { responseMs: 2_000, stallMs: 2_000, totalMs: 5_000 };
  const fetch = proxiedFetch(readProxies({ HTTP_PROXY: proxy.url }));
  const source = createHttpSource(`http://127.0.0.1:${port}/osv`, {
    http: { ...direct, fetch },
    fullIntervalMs: 1,
  });
  const [part] = await source.only(['npm']).list(never);
  await part?.open(nothing, never).catch(() => {});
  expect(new Set(proxy.seen)).toEqual(new Set([`127.0.0.1:${port}`]));
  await proxy.stop();
});
