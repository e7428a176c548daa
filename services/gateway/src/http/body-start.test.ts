import { PassThrough } from 'node:stream';
import type { Request } from 'express';
import { untilBodyBegins } from './body-start';

const stay = new AbortController().signal;
const withinMs = 10_000;

/** A request whose line brings what the test writes. */
function given() {
  const line = Object.assign(new PassThrough({ highWaterMark: 16 * 1024 }), { complete: false });
  let outcome: unknown = 'waits';
  const begin = (gone: AbortSignal = stay) =>
    void untilBodyBegins(line as unknown as Request, gone, withinMs).then(
      () => (outcome = 'begins'),
      (error: unknown) => (outcome = error),
    );
  const bring = async (bytes: number) => {
    line.write(Buffer.alloc(bytes));
    await jest.advanceTimersByTimeAsync(1);
  };
  return { line, begin, bring, outcome: () => outcome };
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => jest.useRealTimers());

test('a body begins with its first 16 KiB, all of which are still to be read', async () => {
  const { line, begin, bring, outcome } = given();
  begin();
  await bring(1_000);
  expect(outcome()).toBe('waits');
  await bring(16 * 1024);
  expect(outcome()).toBe('begins');
  expect((line.read() as Buffer).length).toBe(1_000 + 16 * 1024);
});

test('a small one begins when it is there as a whole', async () => {
  const { line, begin, bring, outcome } = given();
  begin();
  await bring(100);
  expect(outcome()).toBe('waits');
  line.complete = true;
  line.end();
  await jest.advanceTimersByTimeAsync(1);
  expect(outcome()).toBe('begins');
});

test('one that is there already is not waited for', async () => {
  const { line, begin, outcome } = given();
  line.complete = true;
  begin();
  await jest.advanceTimersByTimeAsync(1);
  expect(outcome()).toBe('begins');
});

test('one that does not begin is told to come back, and nothing is watched any more', async () => {
  const { line, begin, bring, outcome } = given();
  begin();
  await bring(1_000);
  await jest.advanceTimersByTimeAsync(withinMs);
  expect(outcome()).toMatchObject({ code: 'request_timeout' });
  expect([jest.getTimerCount(), line.listenerCount('readable')]).toEqual([0, 0]);
});

test('a client that goes away is waited for no longer', async () => {
  const { line, begin, outcome } = given();
  const going = new AbortController();
  begin(going.signal);
  going.abort();
  await jest.advanceTimersByTimeAsync(1);
  expect(outcome()).toMatchObject({ name: 'AbortError' });
  expect([jest.getTimerCount(), line.listenerCount('readable')]).toEqual([0, 0]);
});
