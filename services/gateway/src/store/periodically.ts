import type { Logger } from '@bomtrail/service-kit';

/** Periodic work of one process. */
export interface Periodic {
  /** Ends it; resolves when the round in hand is over. */
  stop(): Promise<void>;
}

/**
 * Does something again and again, `everyMs` after it was last done, in every process. A failure is told
 * once, not each time, until it goes well again. It does not keep the process alive.
 */
export function periodically(
  work: () => Promise<void>,
  options: { everyMs: number; what: string; log: Logger },
): Periodic {
  const { everyMs, what, log } = options;
  let failing = false;
  let timer: NodeJS.Timeout;
  let round = Promise.resolve();

  async function once(): Promise<void> {
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ reason: (error as Error).message }, `${what} failed; it goes on.`);
      failing = true;
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      round = once().then(() => {
        if (!stopped) schedule();
      });
    }, everyMs);
    timer.unref();
  }

  let stopped = false;
  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
