import fc from 'fast-check';
import { attemptTimes, isGivenUp, waitAfter } from './attempts';

const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

describe('the wait after a failure', () => {
  test('doubles, of which half or more is waited', () => {
    const waits = [1, 2, 3, 4].map((failures) => waitAfter({ failures, chance: 0 }, attemptTimes));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(waitAfter({ failures: 3, chance: 0.5 }, attemptTimes)).toBe(6_000);
  });

  test('is at least a second and at most a quarter of an hour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), chance, (failures, luck) => {
        const wait = waitAfter({ failures, chance: luck }, attemptTimes);
        expect(wait).toBeGreaterThanOrEqual(1_000);
        expect(wait).toBeLessThanOrEqual(15 * 60_000);
      }),
    );
  });

  test('is what the receiver requests, at least a second and at most an hour', () => {
    const query = (retryAfterMs: number) =>
      waitAfter({ failures: 5, chance: 0, retryAfterMs }, attemptTimes);
    expect([0, 1_500, 3_600_000, 1e12].map(query)).toEqual([1_000, 1_500, 3_600_000, 3_600_000]);
  });

  test('is not below the back-off after repeated failures of the requested wait', () => {
    const query = (retryAfterMs: number) =>
      waitAfter({ failures: 9, chance: 0, retryAfterMs }, attemptTimes);
    expect([1_000, 3_000_000].map(query)).toEqual([256_000, 3_000_000]);
  });
});

test('what appeared while attempts failed is given up a day later than it appeared', () => {
  const day = 24 * 3_600_000;
  const failingSince = new Date('2026-03-01T00:00:00Z');
  const after = (ms: number) => new Date(failingSince.getTime() + ms);
  const isLost = (periodStart: Date, now: Date) =>
    isGivenUp({ failingSince, periodStart, now }, attemptTimes);
  const old = new Date('2025-01-01T00:00:00Z');
  expect([isLost(old, after(day - 1)), isLost(old, after(day))]).toEqual([false, true]);
  expect([isLost(after(5), after(day)), isLost(after(5), after(day + 5))]).toEqual([false, true]);
});
