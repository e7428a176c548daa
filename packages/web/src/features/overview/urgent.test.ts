import { countText, newSince } from './urgent';

const day = 86_400_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const seen = (daysAgo: number) => ({
  first_seen_at: new Date(now - daysAgo * day).toISOString(),
});

test('new ones are counted since a moment', () => {
  expect(newSince([seen(1), seen(6), seen(8)], 50, now - 7 * day)).toEqual({
    count: 2,
    atLeast: false,
  });
  expect(newSince([seen(1)], 50, now - 7 * day)).toEqual({ count: 1, atLeast: true });
});

test('a number that may be larger says so', () => {
  expect(countText({ count: 200, atLeast: true })).toBe('200+');
  expect(countText({ count: 3, atLeast: false })).toBe('3');
});
