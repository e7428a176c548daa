import { setTimeout as delay } from 'node:timers/promises';

/** The pause after a check is a tenth of the time waited: checks must not cost the CPU that is waited for. */
const PAUSE_SHARE = 0.1;
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
/** Far beyond what a busy machine needs: it ends broken tests only. */
const PATIENCE_MS = 120_000;

/**
 * Repeats `check` until it neither throws nor returns `false`, and returns its result. After `within` milliseconds
 * (default two minutes) fails with `what` and the last error.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: { within?: number; what: string },
): Promise<T> {
  const { within = PATIENCE_MS, what } = options;
  const began = Date.now();
  const deadline = began + within;
  let last: unknown;
  do {
    try {
      const value = await check();
      if (value !== false) return value;
      last = new Error('the condition stayed false');
    } catch (error) {
      last = error;
    }
    const pause = Math.max(SHORTEST_PAUSE_MS, (Date.now() - began) * PAUSE_SHARE);
    await delay(Math.min(pause, LONGEST_PAUSE_MS));
  } while (Date.now() < deadline);
  const reason = last instanceof Error ? last.message : String(last);
  throw new Error(`Not within ${within} ms: ${what}. Last: ${reason}`, {
    cause: last,
  });
}
