import { afterEach, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpSource } from './http-source';

let server: Server | null = null;
const never = new AbortController().signal;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The npm part of a source behind a server that answers so. */
async function partBehind(listener: RequestListener) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [part] = await createHttpSource(base, { answerMs: 200, stallMs: 200 }).list(never);
  if (!part) throw new Error('the source lists nothing');
  return part;
}

test.each<[string, RequestListener, RegExp]>([
  ['never answers', () => {}, /did not answer in time/],
  [
    'stops in the middle',
    (_request, response) => void response.write('PK'),
    /did not answer in time/,
  ],
  ['fails', (_request, response) => void response.writeHead(500).end(), /status 500/],
  ['sends no zip file', (_request, response) => void response.end('hello'), /no complete zip file/],
])(
  'a server that %s is a failure with a reason, within a bounded time',
  async (_what, listener, reason) => {
    const part = await partBehind(listener);
    await expect(part.open(null, never)).rejects.toThrow(reason);
  },
);

test('an edition that the server calls unchanged is not downloaded', async () => {
  const part = await partBehind((request, response) => {
    const isKnown = request.headers['if-modified-since'] === 'Thu, 01 Jan 2026 00:00:00 GMT';
    response.writeHead(isKnown ? 304 : 500).end();
  });
  expect(await part.open('modified Thu, 01 Jan 2026 00:00:00 GMT', never)).toBe('unchanged');
});

test('a file that the server does not have is absent, not failed', async () => {
  const part = await partBehind((_request, response) => void response.writeHead(404).end());
  expect(await part.open(null, never)).toBe('absent');
});
