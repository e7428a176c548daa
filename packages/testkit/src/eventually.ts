import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
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
  const deadline = Date.now() + within;
  let last: unknown;
  do {
    try {
      const value = await check();
      if (value !== false) return value;
      last = new Error('the condition stayed false');
    } catch (error) {
      last = error;
    }
    await delay(POLL_MS);
  } while (Date.now() < deadline);
  const reason = last instanceof Error ? last.message : String(last);
  throw new Error(`Not within ${within} ms: ${what}. Last: ${reason}`, {
    cause: last,
  });
}
