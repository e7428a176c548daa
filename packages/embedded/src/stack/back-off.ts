const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** A process that lived this long was healthy: its next crash is a new story. */
const HEALTHY_MS = 60_000;

/**
 * How long to wait before a crashed process is started again: 0.2 s, doubling to 10 s with each crash,
 * from the beginning again after a minute of life.
 *
 * @param crashes crashes before this one without a minute of life in between
 * @returns the wait, and the number to hand in at the next crash
 */
export function backOff(crashes: number, livedMs: number): { waitMs: number; crashes: number } {
  const before = livedMs >= HEALTHY_MS ? 0 : crashes;
  return { waitMs: Math.min(FIRST_MS * 2 ** before, LONGEST_MS), crashes: before + 1 };
}
