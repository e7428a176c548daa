import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The clock of the services of a demo, which can be set back, so that a year passes in a minute. */
export interface DemoClock {
  /** Settings that make a service follow this clock. */
  env: Record<string, string>;
  /** @param behindMs how far the services are behind the real time; 0: they have it */
  set(behindMs: number): Promise<void>;
}

/** Services read the file this often. */
const followMs = 20;

/**
 * A clock in a file. Only the demo starts services with it: they load `follow-demo-clock.js` first,
 * which shifts `Date`; nothing else of a service knows of it. Timers keep real time.
 */
export function demoClock(folder: string, behindMs: number): DemoClock {
  const file = join(folder, 'clock');
  const write = (behind: number) => writeFileSync(file, String(behind));
  write(behindMs);
  return {
    env: {
      // Quoted: the folder of the checkout may have blanks.
      NODE_OPTIONS: `--require "${join(__dirname, 'follow-demo-clock.js')}"`,
      BOMTRAIL_DEMO_CLOCK: file,
    },
    set: async (behind) => {
      write(behind);
      await new Promise((resolve) => setTimeout(resolve, 4 * followMs));
    },
  };
}
