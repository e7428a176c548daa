import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an action, with a pause after each, until the signal aborts; finishes the current action. */
export async function repeat(
  action: () => Promise<unknown>,
  pauseMs: () => number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await action();
    await sleep(pauseMs(), undefined, { signal }).catch(() => undefined);
  }
}
