/** More than time zones and clocks explain. */
const dayMs = 24 * 3600_000;

/**
 * Whether data has a time in the future. Such a time is wrong: it would look current, and keep out
 * every correction until then.
 *
 * @param time in ms since 1970, like `now`
 */
export function isDatedAhead(time: number, now: number): boolean {
  return time > now + dayMs;
}
