import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@bomtrail/messages';

/** How long a response that has begun waits for a service. */
const usualPatience = { forMs: 60_000, pauseMs: 1_000 };

/**
 * Does a part of a response that has begun, and repeats it while a service is unavailable: a client that has a
 * million rows of a list would have to begin again.
 *
 * @param work reads only
 * @throws any other error at once, `service_unavailable` after a minute
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  { forMs, pauseMs } = usualPatience,
): Promise<Result> {
  const until = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof AppError && error.code === 'service_unavailable';
      if (!isPassing || performance.now() + pauseMs > until) throw error;
      await sleep(pauseMs);
    }
  }
}
