import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailure } from '../bench-failure';

export interface PollOptions {
  pauseMs: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** Completes the sentence "after 30 s still: …" at the time limit. */
  waitingFor: () => string;
}

/** Calls `attempt` until it gives something else than undefined. Fails with a `BenchFailure` at the time limit. */
export async function pollUntil<Result>(
  attempt: () => Promise<Result | undefined>,
  options: PollOptions,
): Promise<Result> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    if (performance.now() > deadline) {
      const seconds = Math.round(options.timeoutMs / 1000);
      throw new BenchFailure(`after ${seconds} s still: ${options.waitingFor()}`);
    }
    await sleep(options.pauseMs, undefined, { signal: options.signal });
  }
}
