import { createTurns } from '@bomtrail/service-kit';
import { setTimeout as delay } from 'node:timers/promises';

/** Where messages to one target go one after the other, and wait together where the target asks for it. */
export interface TargetLanes {
  /**
   * Runs work for a target once all that came before is done and the target takes messages again. Targets do not wait
   * for each other.
   *
   * @throws the signal's reason when it was aborted before the work began
   */
  run<Result>(key: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** The target is left alone for so long. */
  pause(key: string, ms: number): void;
}

export function createTargetLanes(): TargetLanes {
  const inTurn = createTurns();
  const pausedUntil = new Map<string, number>();

  async function pauseIsOver(key: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const left = (pausedUntil.get(key) ?? 0) - performance.now();
      if (left <= 0) break;
      await delay(left, undefined, { signal });
    }
    pausedUntil.delete(key);
  }

  return {
    run: (key, work, signal) =>
      inTurn(key, async () => {
        await pauseIsOver(key, signal);
        return work();
      }),
    pause(key, ms) {
      pausedUntil.set(key, performance.now() + ms);
    },
  };
}
