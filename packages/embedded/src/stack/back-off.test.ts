import { backOff } from './back-off';

/** The waits of a process that lives `livedMs` between its crashes. */
function waits(count: number, livedMs: number): number[] {
  let crashes = 0;
  return Array.from({ length: count }, () => {
    const next = backOff(crashes, livedMs);
    crashes = next.crashes;
    return next.waitMs;
  });
}

describe('the wait before a crashed process is started again', () => {
  test('doubles from 0.2 s to 10 s and stays there', () => {
    expect(waits(9, 100)).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000]);
  });

  test('begins anew after a minute of life', () => {
    expect(backOff(7, 59_999).waitMs).toBe(10_000);
    expect(backOff(7, 60_000)).toEqual({ waitMs: 200, crashes: 1 });
  });
});
