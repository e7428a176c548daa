import { errorOf, isOfProxy, mayBeDone, unanswered } from './errors';
import { isRepeated, repeatDelay } from './repeat';

test('a write without an answer may have been done, a read has done nothing', () => {
  expect(mayBeDone(unanswered('GET'))).toBe(false);
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    expect(mayBeDone(unanswered(method))).toBe(true);
    expect(unanswered(method).message).toContain('may have been done');
  }
});

test('a proxy that gave up waiting is no answer of the server', () => {
  expect(isOfProxy(504, null)).toBe(true);
  expect(isOfProxy(502, { message: 'Bad gateway' })).toBe(true);
  expect(isOfProxy(504, { detail: 'Too slow.', code: 'timeout' })).toBe(false);
  expect(isOfProxy(500, null)).toBe(false);
});

describe('a response that asks to wait', () => {
  const detail = 'Too many requests: wait for the seconds in Retry-After.';
  const asksToWait = (
    retryAfter: string | null,
    body: unknown = { detail, code: 'rate_limited' },
  ) =>
    errorOf({ status: 429, body, header: (name) => (name === 'Retry-After' ? retryAfter : null) });

  test('says the seconds, whoever wrote its text', () => {
    expect(asksToWait('20').message).toBe('Too many requests: wait for 20 seconds.');
    expect(asksToWait(null).message).toBe('Too many requests: wait for a moment.');
    expect(asksToWait('1', null).message).toMatch(/The server asks to wait for 1 second\.$/);
    expect(asksToWait(new Date(Date.now() + 60_000).toUTCString()).retryAfter).toBeGreaterThan(55);
    expect(asksToWait('soon').retryAfter).toBeNull();
  });

  test('is not repeated before, and not by itself if that is long', () => {
    expect(isRepeated(0, asksToWait('5'))).toBe(true);
    expect(repeatDelay(0, asksToWait('5'))).toBe(5000);
    expect(isRepeated(0, asksToWait('20'))).toBe(false);
    expect(isRepeated(0, asksToWait(null))).toBe(true);
    expect([0, 1].map((failures) => repeatDelay(failures, asksToWait(null)))).toEqual([1000, 2000]);
    expect(isRepeated(2, asksToWait('1'))).toBe(false);
    const refused = errorOf({ status: 403, body: null, header: () => '1' });
    expect(isRepeated(0, refused)).toBe(false);
  });
});
