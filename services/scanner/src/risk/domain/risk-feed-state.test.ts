import { expect, test } from '@jest/globals';
import { ageOf, blankRiskFeed, editionError } from './risk-feed-state';

const now = Date.parse('2026-08-15T12:00:00Z');
const edition = (day: string, origin = 'here') => ({ origin, asOf: new Date(day), records: 20 });
const loaded = (day: string) => ({
  ...blankRiskFeed,
  origin: 'here',
  as_of: new Date(day),
  records: 20,
});

test('a date in the future is refused, whatever is loaded', () => {
  expect(editionError(blankRiskFeed, edition('2026-08-18'), now)).toBe(
    'it is of 2026-08-18, which is in the future (today is 2026-08-15)',
  );
  expect(editionError(blankRiskFeed, edition('2026-08-16'), now)).toBeNull();
});

test('a date in the future that is loaded keeps out no later edition', () => {
  expect(editionError(loaded('2099-01-01'), edition('2026-08-15'), now)).toBeNull();
  expect(editionError(loaded('2026-08-15'), edition('2026-08-14'), now)).toContain('older than');
  expect(editionError(loaded('2026-08-15'), edition('2026-08-14', 'there'), now)).toBeNull();
});

test('values without a date are as old as their load, so that they become stale, too', () => {
  const [as_of, loaded_at] = [new Date('2026-08-10'), new Date('2026-08-12')];
  const day = 24 * 3_600_000;
  const at = Date.parse('2026-08-15');
  expect(ageOf({ as_of, loaded_at }, at)).toBe(5 * day);
  expect(ageOf({ as_of: null, loaded_at }, at)).toBe(3 * day);
  expect(ageOf(blankRiskFeed, at)).toBeNull();
});
