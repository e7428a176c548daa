export const dayMs = 86_400_000;

/** The day (UTC) a week before a time (milliseconds): the address of what is new since then. */
export function lastWeek(now: number): string {
  return new Date(now - 7 * dayMs).toISOString().slice(0, 10);
}
