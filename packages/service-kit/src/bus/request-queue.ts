import { createFairSlots } from '../work/fair-slots';

/** How much of one request subject a process takes on at a time. */
export interface RequestLimits {
  /** Requests that are handled at once. */
  readonly running: number;
  /** Requests that wait for one of these to end. */
  readonly queued: number;
  /** Bytes of those that wait: a body travels inside its message up to 640 KiB. */
  readonly queuedBytes: number;
}

/**
 * More requests at once than a process has database connections only make each of them slower. The queue
 * holds what 2,000 waiting readers of one gateway ask for at the same moment, twice.
 */
export const requestLimits: RequestLimits = {
  running: 64,
  queued: 4_096,
  queuedBytes: 64 * 1024 * 1024,
};

/** The requests of one subject in one process. */
export interface RequestQueue {
  /**
   * Runs the work when it is its turn, in the order of arrival.
   *
   * @param bytes of the request while it waits
   * @returns null when the queue is full: the work is not run
   */
  enqueue(bytes: number, work: () => Promise<void>): Promise<void> | null;
}

/** @param onChange hears of the requests that run and wait, whenever their number changes */
export function createRequestQueue(
  limits: RequestLimits,
  onChange: (counts: { running: number; queued: number }) => void,
): RequestQueue {
  const inSlot = createFairSlots(limits.running);
  /** Those that run and those that wait. */
  let taken = 0;
  let queuedBytes = 0;

  function tell(): void {
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
      tell();
      return inSlot('', async () => {
        if (mustWait) queuedBytes -= bytes;
        try {
          await work();
        } finally {
          taken -= 1;
          tell();
        }
      });
    },
  };
}
