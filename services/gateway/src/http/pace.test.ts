import type { Request } from 'express';
import { EventEmitter, once } from 'node:events';
import { atPace, usualPace, type Pace } from './pace';

const tightPace = { windowMs: 1_000, minBytes: 100, slowWindows: 2 };

/** A request whose socket receives what the test says in each window. */
function given(pace: Pace = tightPace) {
  const request = { socket: { bytesRead: 500 }, readableLength: 0, complete: false };
  const body = new EventEmitter();
  const end = () => body.emit('end');
  const read = async (tooSlow: AbortSignal) => {
    await once(body, 'end', { signal: tooSlow });
    return 'read';
  };
  const reading = atPace(request as unknown as Request, read, pace).catch(
    (error: unknown) => error,
  );
  const window = async (bytes: number) => {
    request.socket.bytesRead += bytes;
    await jest.advanceTimersByTimeAsync(pace.windowMs);
  };
  return { request, reading, window, end };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a client that sends a byte a window is told to come back', async () => {
  const { reading, window } = given();
  await window(1);
  await window(1);
  expect(await reading).toMatchObject({ code: 'request_timeout' });
});

test('one slow window alone is forgiven', async () => {
  const { reading, window, end } = given();
  for (const bytes of [99, 100, 0, 5_000, 99]) await window(bytes);
  end();
  expect(await reading).toBe('read');
});

test('a client is not blamed while we do not read what it has sent', async () => {
  const { request, reading, window, end } = given();
  request.readableLength = 16_384;
  for (let windows = 0; windows < 10; windows += 1) await window(0);
  end();
  expect(await reading).toBe('read');
});

test('ten uploads that share a line of 1 Mbit/s are in time', async () => {
  const { reading, window, end } = given(usualPace);
  const bytesOfOne = (1_000_000 / 8 / 10) * (usualPace.windowMs / 1_000);
  for (let windows = 0; windows < 20; windows += 1) await window(bytesOfOne);
  end();
  expect(await reading).toBe('read');
});

test('what goes wrong in reading is passed on, and nothing is watched any more', async () => {
  const broken = atPace(
    { socket: { bytesRead: 0 }, readableLength: 0, complete: false } as unknown as Request,
    async () => Promise.reject(new Error('broken')),
    tightPace,
  );
  await expect(broken).rejects.toThrow('broken');
  expect(jest.getTimerCount()).toBe(0);
});
