import type { Readable } from 'node:stream';
import type { HttpSend } from '@bomtrail/api-client';
import { retryingFetch, type RetryOptions } from './retrying-fetch';
import type { SentRequest } from './sending';

interface FakeServer {
  fetch: HttpSend;
  slept: number[];
  retries: string[];
  requests: SentRequest[];
}

/** A server that gives these answers one after the other, and a clock that only sleep moves. */
function fakeServer(
  responses: (() => Response)[],
  options: Partial<RetryOptions> = {},
): FakeServer {
  const [slept, retries, requests]: [number[], string[], SentRequest[]] = [[], [], []];
  let time = 0;
  const server = (_: URL, init: SentRequest): Promise<Response> => {
    requests.push(init);
    const answer = responses[requests.length - 1];
    return answer
      ? Promise.resolve().then(answer)
      : Promise.reject(new Error('requests too often'));
  };
  return {
    slept,
    retries,
    requests,
    fetch: retryingFetch({
      forMs: 60_000,
      onRetry: (line) => retries.push(line),
      send: server,
      sleep: (ms) => {
        slept.push(ms);
        time += ms;
        return Promise.resolve();
      },
      now: () => time,
      random: () => 0,
      ...options,
    }),
  };
}

const url = new URL('http://bomtrail.example/api/v1/sboms/1');
const answer =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    new Response('{}', { status, headers });
const broken = (code: string) => (): Response => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('of the network'), { code }),
  });
};

test('transient failures are retried with growing delays', async () => {
  const server = fakeServer([broken('ECONNREFUSED'), answer(503), answer(502), answer(200)]);
  expect((await server.fetch(url)).status).toBe(200);
  expect(server.slept).toEqual([250, 500, 1000]);
  expect(server.retries).toHaveLength(3);
  expect(server.retries[0]).toContain('ECONNREFUSED');
});

test('no attempt comes before the time that the server asks for', async () => {
  const server = fakeServer([answer(429, { 'retry-after': '7' }), answer(200)]);
  await server.fetch(url);
  expect(server.slept).toEqual([7000]);
});

test('a server that asks for all the time that there is, as a rate limit does, is waited for', async () => {
  const responses = [answer(429, { 'retry-after': '60' }), answer(200)];
  let ticks = 0;
  const server = fakeServer(responses, { random: () => 0.9, now: () => (ticks += 1) });
  expect((await server.fetch(url)).status).toBe(200);
  expect(server.slept).toEqual([60_450]);
});

test('a server that asks for more time than there is, is not requests again: its answer counts', async () => {
  const server = fakeServer([answer(429, { 'retry-after': '61' })]);
  expect((await server.fetch(url)).status).toBe(429);
  expect(server.slept).toEqual([]);
});

test('the time counts from the first failure, and its end is retries with the number of attempts', async () => {
  const server = fakeServer(
    Array.from({ length: 9 }, () => broken('ECONNRESET')),
    { forMs: 2_000 },
  );
  await expect(server.fetch(url)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/does not respond \(4 attempts\).*ECONNRESET/),
  });
});

test.each([400, 401, 404, 409, 422, 500])('%i is an answer', async (status) => {
  const server = fakeServer([answer(status)]);
  expect((await server.fetch(url)).status).toBe(status);
});

test('a wrong certificate is not tried again, and says where to name its authority', async () => {
  const server = fakeServer([broken('SELF_SIGNED_CERT_IN_CHAIN')]);
  await expect(server.fetch(url)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
});

test('a redirect is refused: the key would go with it', async () => {
  const server = fakeServer([answer(301, { location: 'https://elsewhere.example/' })]);
  await expect(server.fetch(url)).rejects.toThrow('https://elsewhere.example/');
});

test('the making of a key is not repeated where the first one may have been made', async () => {
  const keys = new URL('http://bomtrail.example/api/v1/api-keys');
  const reset = fakeServer([broken('ECONNRESET'), answer(201)]);
  await expect(reset.fetch(keys, { method: 'POST' })).rejects.toMatchObject({ exitCode: 3 });
  const unable = fakeServer([answer(503), answer(201)]);
  expect((await unable.fetch(keys, { method: 'POST' })).status).toBe(503);
  const refused = fakeServer([broken('ECONNREFUSED'), answer(201)]);
  expect((await refused.fetch(keys, { method: 'POST' })).status).toBe(201);
});

test('what a DELETE whose answer was lost has deleted is deleted, not missing', async () => {
  for (const lost of [broken('ECONNRESET'), answer(502)]) {
    const server = fakeServer([lost, broken('ECONNREFUSED'), answer(404)]);
    expect((await server.fetch(url, { method: 'DELETE' })).status).toBe(204);
  }
});

test('a DELETE of what is missing says so, also where an attempt before it did nothing for sure', async () => {
  for (const before of [[], [broken('ECONNREFUSED')], [answer(429)]]) {
    const server = fakeServer([...before, answer(404)]);
    expect((await server.fetch(url, { method: 'DELETE' })).status).toBe(404);
  }
  const read = fakeServer([broken('ECONNRESET'), answer(404)]);
  expect((await read.fetch(url)).status).toBe(404);
});

test('an upload is sent whole at each attempt, and its progress ends at all of it', async () => {
  const bodies: string[] = [];
  const seen: [number, number][] = [];
  const body = Buffer.alloc(200_000, 'x');
  let count = 0;
  const fetching = retryingFetch({
    forMs: 60_000,
    onRetry: () => {},
    sleep: () => Promise.resolve(),
    progress: (sent, total) => seen.push([sent, total]),
    send: async (_, request) => {
      expect(request.headers['content-length']).toBe('200000');
      bodies.push((await (request.body as Readable).toArray()).join(''));
      count += 1;
      return new Response('{}', { status: count === 1 ? 503 : 201 });
    },
  });
  expect((await fetching(url, { method: 'POST', body })).status).toBe(201);
  expect(bodies.map((sent) => sent === body.toString())).toEqual([true, true]);
  expect(seen.at(-1)?.[0]).toBe(seen.at(-1)?.[1]);
  expect(seen.length).toBeGreaterThan(4);
});

describe('the time of an attempt', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());
  const minutes = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 60_000);
  const upload = { method: 'POST', body: Buffer.alloc(300_000) };
  const aborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  const fetchBy = (send: RetryOptions['send']): HttpSend =>
    retryingFetch({ forMs: 0, onRetry: () => {}, send });

  test.each([
    ['an upload', upload, 5],
    ['any other request', {}, 1],
  ])('%s to a silent server ends, with how long it was silent', async (_, init, limit) => {
    const silent = fetchBy(async (__, { body, signal }) => {
      if (body) await (body as Readable).toArray();
      return aborted(signal);
    });
    let failure: unknown;
    const over = silent(url, init).catch((error: unknown) => (failure = error));
    await minutes(limit - 0.1);
    expect(failure).toBeUndefined();
    await minutes(0.1);
    await over;
    expect(failure).toMatchObject({
      exitCode: 3,
      message: `${url.origin} does not respond: no response for ${limit * 60} s.`,
    });
  });

  test('an upload that is slow and moves goes on', async () => {
    let received = 0;
    const slow = fetchBy(async (_, { body, signal }) => {
      const all = async (): Promise<Response> => {
        for await (const chunk of body as Readable) {
          received += (chunk as Buffer).length;
          await new Promise((resolve) => setTimeout(resolve, 4 * 60_000));
        }
        return new Response('{}', { status: 201 });
      };
      return Promise.race([all(), aborted(signal)]);
    });
    const uploading = slow(url, upload);
    uploading.catch(() => {});
    for (let passed = 0; passed < 40; passed += 1) await minutes(1);
    expect((await uploading).status).toBe(201);
    expect(received).toBe(upload.body.length);
  });
});
