import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;

/**
 * Repeats `check` until it does not throw (nor gives `false`), and gives what it gave. After `within`
 * milliseconds fails with `what` and the reason of the last try.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: { within: number; what: string },
): Promise<T> {
  const deadline = Date.now() + options.within;
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
  throw new Error(`Not within ${options.within} ms: ${options.what}. Last: ${reason}`, {
    cause: last,
  });
}
