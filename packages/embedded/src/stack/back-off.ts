const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** After this time a process counts as healthy, and its crashes are counted anew. */
const HEALTHY_MS = 60_000;

/**
 * Returns the delay before a crashed process is restarted: 0.2 s, doubled up to 10 s, reset after a minute of uptime.
 *
 * @param crashes previous crashes without a minute of uptime in between
 * @returns the delay, and the count for the next crash
 */
export function backOff(crashes: number, livedMs: number): { waitMs: number; crashes: number } {
  const before = livedMs >= HEALTHY_MS ? 0 : crashes;
  return { waitMs: Math.min(FIRST_MS * 2 ** before, LONGEST_MS), crashes: before + 1 };
}
