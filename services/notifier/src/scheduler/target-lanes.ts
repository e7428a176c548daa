import { createKeyedMutex } from '@bomtrail/service-kit';
import { setTimeout as delay } from 'node:timers/promises';

/** Where messages to one target go one after the other, and wait together where the target asks for it. */
export interface TargetLanes {
  /**
   * Runs work for a target once all that came before is done and a short pause is over. Targets do not wait
   * for each other.
   *
   * @throws the signal's reason when it was aborted before the work began
   */
  run<Result>(key: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** The target is left alone for so long. */
  pause(key: string, ms: number): void;
  /** For how many milliseconds the target is still left alone. */
  pauseLeft(key: string): number;
  /** Targets of which a pause is kept: those that asked for one lately, no more. */
  pauses(): number;
}

/** Who would have to wait longer is not kept in the queue: much may change until then. */
const shortPauseMs = 10_000;

export function createTargetLanes(): TargetLanes {
  const withKey = createKeyedMutex();
  const pausedUntil = new Map<string, number>();

  function pauseLeft(key: string): number {
    const left = (pausedUntil.get(key) ?? 0) - performance.now();
    if (left <= 0) pausedUntil.delete(key);
    return Math.max(0, left);
  }

  /** Nobody asks for a target again whose rules are gone. */
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
