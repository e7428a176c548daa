/** An interruptible sleep. */
export interface Alarm {
  /** Ends after `ms` (at most a day) or once it rings; at once if it rang since the last sleep. */
  sleep(ms: number): Promise<void>;
  ring(): void;
}

/** Longer times overflow a timer. */
const longestMs = 24 * 3_600_000;

/** Supports one sleeper. */
export function createAlarm(): Alarm {
  let rang = false;
  let wake: () => void = () => {};
  return {
    async sleep(ms) {
      if (!rang) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(Math.max(0, ms), longestMs));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rang = false;
      wake = () => {};
    },
    ring() {
      rang = true;
      wake();
    },
  };
}
