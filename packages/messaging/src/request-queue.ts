import { createFairSlots } from '@bomtrail/concurrency';

/** Limits of one request subject in one process. */
export interface RequestLimits {
  /** Concurrent requests. */
  readonly running: number;
  /** Waiting requests. */
  readonly queued: number;
  /** Bytes of the waiting requests: a message carries up to 640 KiB. */
  readonly queuedBytes: number;
}

/**
 * `running` equals the number of database connections: more would only slow each request. The queue has room for
 * the polls of 2,000 waiting readers of one gateway, twice.
 */
export const requestLimits: RequestLimits = {
  running: 64,
  queued: 4_096,
  queuedBytes: 64 * 1024 * 1024,
};

/** Queue of the requests of one subject in one process. */
export interface RequestQueue {
  /**
   * Runs the work in order of arrival.
   *
   * @param bytes size of the request
   * @returns null if the queue is full; the work is not run then
   */
  enqueue(bytes: number, work: () => Promise<void>): Promise<void> | null;
}

/** @param onChange called with the numbers of running and waiting requests after each change */
export function createRequestQueue(
  limits: RequestLimits,
  onChange: (counts: { running: number; queued: number }) => void,
): RequestQueue {
  const inSlot = createFairSlots(limits.running);
  /** Running and waiting. */
  let taken = 0;
  let queuedBytes = 0;

  function report(): void {
    const running = Math.min(taken, limits.running);
    onChange({ running, queued: taken - running });
  }

  return {
    enqueue(bytes, work) {
      const queued = taken - limits.running;
      const mustWait = queued >= 0;
      if (mustWait && (queued >= limits.queued || queuedBytes + bytes > limits.queuedBytes))
        return null;
      taken += 1;
      if (mustWait) queuedBytes += bytes;
      report();
      return inSlot('', async () => {
        if (mustWait) queuedBytes -= bytes;
        try {
          await work();
        } finally {
          taken -= 1;
          report();
        }
      });
    },
  };
}
