import { ownClock, type Clock } from './clock';

/** Lets other work on the same machine go first, for a bounded time. */
export interface Pauses {
  /** Other work is in progress; it counts as such for a moment, unless this is called again. */
  request(): void;
  /** Resolves when work may begin: at once, unless other work goes first. */
  pass(): Promise<void>;
}

export interface PausesOptions {
  /** How long a request lasts, in milliseconds. */
  requestMs: number;
  /**
   * The longest pause, in milliseconds. It is followed by at least the same time without one, so
   * that work makes progress however long other work lasts.
   */
  longestMs: number;
  clock?: Clock;
}

export function createPauses({ requestMs, longestMs, clock = ownClock }: PausesOptions): Pauses {
  let requestedUntil = Number.NEGATIVE_INFINITY;
  /** End of the pause in progress at the latest; no other one begins within `longestMs` after it. */
  let pauseEnd = Number.NEGATIVE_INFINITY;

  return {
    request() {
      requestedUntil = clock.now() + requestMs;
    },
    async pass() {
      for (;;) {
        const now = clock.now();
        if (now >= requestedUntil) return;
        if (now >= pauseEnd + longestMs) pauseEnd = now + longestMs;
        if (now >= pauseEnd) return;
        await clock.sleep(Math.min(requestedUntil, pauseEnd) - now);
      }
    },
  };
}
