import type { AlertDigest, QuietHours } from '@bomtrail/messages';
import { isQuiet, lastDigestAt } from './schedule';

const berlin = { time_zone: 'Europe/Berlin' };
const night: QuietHours = { from: '22:00', to: '07:00', weekends: false, ...berlin };

test.each<[string, QuietHours, string, boolean]>([
  ['before a night', night, '2026-01-14T20:59:00Z', false],
  ['at its begin', night, '2026-01-14T21:00:00Z', true],
  ['past midnight', night, '2026-01-15T02:00:00Z', true],
  ['in its last minute', night, '2026-01-15T05:59:59Z', true],
  ['at its end', night, '2026-01-15T06:00:00Z', false],
  ['at its end in summer, an hour earlier in UTC', night, '2026-07-15T05:00:00Z', false],
  ['in its last minute in summer', night, '2026-07-15T04:59:00Z', true],
  ['within a day', { ...night, from: '12:00', to: '13:00' }, '2026-01-14T11:30:00Z', true],
  ['after it', { ...night, from: '12:00', to: '13:00' }, '2026-01-14T12:00:00Z', false],
  ['in a span without length', { ...night, to: '22:00' }, '2026-01-14T21:00:00Z', false],
  ['on a Saturday noon', night, '2026-01-17T11:00:00Z', false],
  ['on a quiet Saturday noon', { ...night, weekends: true }, '2026-01-17T11:00:00Z', true],
  [
    'on Sunday evening in Tokyo',
    { ...night, weekends: true, time_zone: 'Asia/Tokyo' },
    '2026-01-18T14:59:00Z',
    true,
  ],
  [
    'on Monday morning in Tokyo, Sunday in UTC',
    { ...night, weekends: true, time_zone: 'Asia/Tokyo' },
    '2026-01-18T22:30:00Z',
    false,
  ],
])('AL10: %s', (...[, hours, now, quiet]) => {
  expect(isQuiet(hours, new Date(now))).toBe(quiet);
});

const daily: AlertDigest = { every: 'day', at: '08:00', weekday: 'monday', ...berlin };
const weekly: AlertDigest = { ...daily, every: 'week' };

test.each<[string, AlertDigest, string, string]>([
  ['this morning', daily, '2026-01-14T07:00:00Z', '2026-01-14T07:00:00Z'],
  ['yesterday, before it', daily, '2026-01-14T06:59:59Z', '2026-01-13T07:00:00Z'],
  ['in summer, an hour earlier in UTC', daily, '2026-07-14T12:00:00Z', '2026-07-14T06:00:00Z'],
  ['on Monday of the week', weekly, '2026-01-14T12:00:00Z', '2026-01-12T07:00:00Z'],
  ['on Monday a week ago, before it', weekly, '2026-01-12T06:00:00Z', '2026-01-05T07:00:00Z'],
  [
    'a skipped time, an hour later',
    { ...daily, at: '02:30' },
    '2026-03-29T12:00:00Z',
    '2026-03-29T01:30:00Z',
  ],
  [
    'the first of a time that comes twice',
    { ...daily, at: '02:30' },
    '2026-10-25T12:00:00Z',
    '2026-10-25T00:30:00Z',
  ],
  [
    'tomorrow’s day in the zone',
    { ...daily, at: '00:30', time_zone: 'Asia/Tokyo' },
    '2026-01-14T16:00:00Z',
    '2026-01-14T15:30:00Z',
  ],
  ['in UTC', { ...daily, time_zone: 'UTC' }, '2026-01-14T09:00:00Z', '2026-01-14T08:00:00Z'],
])('AL11: the last digest was due %s', (...[, digest, now, due]) => {
  expect(lastDigestAt(digest, new Date(now)).toISOString()).toBe(new Date(due).toISOString());
});

test('AL11: every digest of a year is due once, also where clocks change', () => {
  for (const at of ['00:00', '02:30', '23:59']) {
    const seen = new Set<number>();
    for (let hour = 24; hour < 24 * 364; hour++)
      seen.add(lastDigestAt({ ...daily, at }, new Date(Date.UTC(2026, 0, 2, hour))).getTime());
    const gaps = [...seen].map((one, index, all) => one - (all[index - 1] ?? one)).slice(1);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(22.9 * 3_600_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(25.1 * 3_600_000);
  }
});
