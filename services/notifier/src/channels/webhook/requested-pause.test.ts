import { requestedPauseMs } from './requested-pause';

const now = new Date('2026-03-01T00:00:00.000Z');

test.each([
  [{ 'retry-after': '3' }, '', 3_000],
  [{ 'retry-after': '0.25' }, '', 250],
  [{ 'retry-after': 'Sun, 01 Mar 2026 00:00:07 GMT' }, '', 7_000],
  [{ 'retry-after': 'Sun, 01 Mar 2020 00:00:07 GMT' }, '', 0],
  [{}, '{"retry_after": 1.337, "global": false}', 1_337],
  [{ 'retry-after': '1' }, '{"retry_after": 1.5}', 1_500],
  [{ 'retry-after': '1', 'x-ratelimit-reset-after': '2.5' }, '', 2_500],
  [{ 'retry-after': '999999' }, '', 3_600_000],
  [{ 'retry-after': 'soon' }, 'no JSON', undefined],
  [{ 'retry-after': '-5' }, '{"retry_after": "1"}', undefined],
  [{}, 'null', undefined],
  [{}, '', undefined],
])('a 429 with %j and %j asks for %p ms', (headers, body, expected) => {
  expect(requestedPauseMs({ status: 429, headers, body }, now)).toBe(expected);
});

test('of a 503 only Retry-After counts', () => {
  const headers = { 'retry-after': '2', 'x-ratelimit-reset-after': '5' };
  const body = '{"retry_after": 7}';
  expect(requestedPauseMs({ status: 503, headers, body }, now)).toBe(2_000);
  expect(requestedPauseMs({ status: 503, headers: {}, body }, now)).toBeUndefined();
});

test.each([400, 401, 403, 404, 500, 502])('%i requests no pause', (status) => {
  const headers = { 'retry-after': '0', 'x-ratelimit-reset-after': '1' };
  const body = '{"retry_after": 1}';
  expect(requestedPauseMs({ status, headers, body }, now)).toBeUndefined();
});
