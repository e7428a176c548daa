import { expect, test } from '@jest/globals';
import { requestedPauseMs } from './requested-pause';

const now = Date.parse('2026-01-01T00:00:00Z');
const hour = 3_600_000;

test.each<[number, string | null, number]>([
  [429, '120', 120_000],
  [503, ' 5 ', 5_000],
  [503, 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  [429, 'Wed, 31 Dec 2025 23:59:00 GMT', 0],
  [429, '999999999', hour],
  [429, 'Fri, 01 Jan 2027 00:00:00 GMT', hour],
  [429, null, 0],
  [429, 'soon', 0],
  [429, 'soon GMT', 0],
  [429, '-1', 0],
  [500, '120', 0],
  [200, '120', 0],
])('%i with Retry-After %s asks to wait %i ms', (status, value, expected) => {
  const headers = new Headers(value === null ? [] : [['retry-after', value]]);
  expect(requestedPauseMs(new Response('', { status, headers }), now)).toBe(expected);
});
