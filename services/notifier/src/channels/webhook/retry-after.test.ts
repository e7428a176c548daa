import { retryAfterMs } from './retry-after';

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
])('an answer with %j and %j asks for %p ms', (headers, body, expected) => {
  expect(retryAfterMs({ headers, body }, now)).toBe(expected);
});
