import type { Logger } from '@bomtrail/telemetry';

/** Periodic work. */
export interface Periodic {
  /** Stops it; resolves when the running round is finished. */
  stop(): Promise<void>;
}

/**
 * Repeats work `everyMs` after its last end, in every process. Consecutive failures are logged
 * once. Does not keep the process alive.
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
      if (!failing)
        log.warn({ reason: (error as Error).message }, `${what} failed; it will be repeated.`);
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
