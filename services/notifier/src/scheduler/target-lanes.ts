import { createKeyedMutex } from '@bomtrail/concurrency';
import { setTimeout as delay } from 'node:timers/promises';

/** Serialises messages to each target and applies pauses that a target requests. */
export interface TargetLanes {
  /**
   * Runs work for a target after its earlier work and a short pause. Targets are independent of
   * each other.
   *
   * @throws the signal's reason if it was aborted before the work began
   */
  run<Result>(key: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Pauses the target. */
  pause(key: string, ms: number): void;
  /** Remaining pause in milliseconds. */
  pauseLeft(key: string): number;
  /** Number of stored pauses, only of targets that requested one recently. */
  pauses(): number;
}

/** Longer pauses are not waited for in the queue, because much may change until then. */
const shortPauseMs = 10_000;

export function createTargetLanes(): TargetLanes {
  const withKey = createKeyedMutex();
  const pausedUntil = new Map<string, number>();

  function pauseLeft(key: string): number {
    const left = (pausedUntil.get(key) ?? 0) - performance.now();
    if (left <= 0) pausedUntil.delete(key);
    return Math.max(0, left);
  }

  /** Targets of deleted rules are not requested again. */
  function dropOver(): void {
    const now = performance.now();
    for (const [key, until] of pausedUntil) if (until <= now) pausedUntil.delete(key);
  }

  async function shortPauseIsOver(key: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const left = pauseLeft(key);
      if (left === 0 || left > shortPauseMs) return;
      await delay(left, undefined, { signal });
    }
  }

  return {
    run: (key, work, signal) =>
      withKey(key, async () => {
        await shortPauseIsOver(key, signal);
        return work();
      }),
    pause(key, ms) {
      dropOver();
      pausedUntil.set(key, performance.now() + ms);
    },
    pauseLeft,
    pauses: () => pausedUntil.size,
  };
}
