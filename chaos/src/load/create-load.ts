import { sequence } from '@bomtrail/testkit';
import type { LoadContext } from './driven-project';
import { createDriver, type Driver } from './driver';
import { upload } from './upload';

/** Drivers that do everything. */
const allRounders = 4;
const uploaderRestMs = 250;

/** All drivers of a run. */
export interface Load {
  readonly drivers: readonly Driver[];
  /** Runs the drivers, and work beside them, until `stop`, which fails if one of them did. */
  start(...beside: ((signal: AbortSignal) => Promise<unknown>)[]): { stop(): Promise<void> };
}

/**
 * Creates drivers that do everything, and some that only upload.
 *
 * @param contextOf what the driver with this index needs besides its draws and projects
 */
export async function createLoad(
  { seed, uploaders }: { seed: number; uploaders: number },
  contextOf: (index: number) => Omit<LoadContext, 'project' | 'draw'>,
): Promise<Load> {
  const drivers = await Promise.all(
    Array.from({ length: allRounders + uploaders }, (_, index) => {
      const context = { ...contextOf(index), draw: sequence(seed + 1 + index) };
      return createDriver(context, `s${seed}-p${index + 1}-`);
    }),
  );
  return {
    drivers,
    start(...beside) {
      const over = new AbortController();
      const load = Promise.all([
        ...drivers.slice(0, allRounders).map((driver) => driver.run(over.signal)),
        ...drivers
          .slice(allRounders)
          .map((driver) => driver.repeat(upload, uploaderRestMs, over.signal)),
        ...beside.map((work) => work(over.signal)),
      ]);
      // `stop` throws its failure.
      load.catch(() => undefined);
      return {
        async stop() {
          over.abort();
          await load;
        },
      };
    },
  };
}
