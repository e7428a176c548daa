import { isOfProxy, mayBeDone, unanswered } from './errors';

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
