/** Interval at which a pause of this process is looked for. */
const lookEveryMs = 500;
/** Shorter ones are ordinary work. */
const shortestMs = 2 * lookEveryMs;

/** Pauses of this process: a stopped container, a suspended machine, a blocked event loop. */
export interface Pauses {
  /**
   * How long a message that is received now may have waited for this process; 0 unless it was paused. What was sent
   * before a pause arrives after it, without its age, and clocks of machines differ.
   */
  waitedMs(): number;
  end(): void;
}

/** @param receiveAll resolves when everything that was sent so far is received */
export function watchPauses(
  receiveAll: () => Promise<void>,
  now: () => number = () => performance.now(),
): Pauses {
  let lookedAt = now();
  let waitedMs = 0;
  let pauses = 0;

  function look(): void {
    const since = now() - lookedAt;
    lookedAt += since;
    if (since < shortestMs) return;
    waitedMs = Math.max(waitedMs, since);
    pauses += 1;
    const latest = pauses;
    const reset = (): void => {
      if (latest === pauses) waitedMs = 0;
    };
    // A lost connection has no backlog.
    receiveAll().then(reset, reset);
  }

  const timer = setInterval(look, lookEveryMs).unref();
  return {
    waitedMs() {
      look();
      return waitedMs;
    },
    end: () => clearInterval(timer),
  };
}
