import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
/** Long beyond what a busy machine needs: the deadline ends a broken test, it measures nothing. */
const PATIENCE_MS = 120_000;

/**
 * Repeats `check` until it does not throw (nor gives `false`), and gives what it gave. After `within`
 * milliseconds (two minutes) fails with `what` and the reason of the last try.
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
