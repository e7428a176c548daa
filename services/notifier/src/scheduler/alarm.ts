/** A sleep that can be ended by somebody else. */
export interface Alarm {
  /** Ends after so many milliseconds, at the latest after a day, or once it rings; at once where it rang since the last sleep. */
  sleep(ms: number): Promise<void>;
  ring(): void;
}

/** Longer times overflow a timer. */
const longestMs = 24 * 3_600_000;

/** For one sleeper. */
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
