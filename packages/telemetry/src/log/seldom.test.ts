import { seldom } from './seldom';

test('the same line is let through once in the time, others at once', () => {
  let now = 0;
  const isNews = seldom(10_000, () => now);
  expect([isNews('a'), isNews('a'), isNews('b')]).toEqual([true, false, true]);
  now = 9_999;
  expect(isNews('a')).toBe(false);
  now = 10_000;
  expect(isNews('a')).toBe(true);
});
