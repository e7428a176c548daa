import type { Logger } from '../log/logger';
import { inNewContext } from '../traces/in-span';
import type { Tracer } from '../traces/span';
import type { Leases } from './lease';
import { Counter, type Registry } from 'prom-client';

/** A periodic look at the stored state for work that is not done, by one process at a time. */
export interface Sweep {
  readonly name: string;
  readonly everySeconds: number;
  /** Gives the number of things it took up, for the log. */
  run(): Promise<number>;
}

export interface RunningSweep {
  stop(): Promise<void>;
}

export type SweepMetrics = ReturnType<typeof createSweepMetrics>;

/** What the sweeps of a process count. */
export function createSweepMetrics(registry: Registry) {
  const registers = [registry];
  return {
    runs: new Counter({
      name: 'bomtrail_sweep_runs_total',
      help: 'Rounds of a sweep in this process, by result: `done` or `failed`',
      labelNames: ['sweep', 'result'] as const,
      registers,
    }),
    taken: new Counter({
      name: 'bomtrail_sweep_taken_total',
      help: 'Things that a sweep found undone and took up',
      labelNames: ['sweep'] as const,
      registers,
    }),
  };
}

export interface SweepDeps {
  leases: Leases;
  log: Logger;
  tracer: Tracer | undefined;
  metrics: SweepMetrics;
}

/** Runs a sweep at once and then periodically; a failure is a log line and the next round's work. */
export function startSweep(sweep: Sweep, deps: SweepDeps): RunningSweep {
  const { runs, taken: takenUp } = deps.metrics;
  for (const result of ['done', 'failed']) runs.inc({ sweep: sweep.name, result }, 0);
  takenUp.inc({ sweep: sweep.name }, 0);
  let stopping = false;
  let wake: () => void = () => {};

  async function once(): Promise<void> {
    const lease = await deps.leases.acquire(
      `sweep:${sweep.name}`,
      Math.max(30, sweep.everySeconds * 2),
    );
    if (!lease) return;
    try {
      const start = () => ({ name: `sweep ${sweep.name}` });
      await inNewContext(deps.tracer, { start }, async () => {
        const taken = await sweep.run();
        runs.inc({ sweep: sweep.name, result: 'done' });
        takenUp.inc({ sweep: sweep.name }, taken);
        if (taken > 0)
          deps.log.info({ sweep: sweep.name, taken }, 'A sweep took up unfinished work.');
      });
    } finally {
      await lease.release();
    }
  }

  const running = (async () => {
    while (!stopping) {
      try {
        await once();
      } catch (error) {
        runs.inc({ sweep: sweep.name, result: 'failed' });
        deps.log.warn(
          { sweep: sweep.name, reason: (error as Error).message },
          'A sweep failed; it runs again.',
        );
      }
      if (stopping) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, sweep.everySeconds * 1000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();

  return {
    async stop() {
      stopping = true;
      wake();
      await running;
    },
  };
}

/**
 * Does each piece of a sweep's work by itself: one that fails is a log line and the next round's
 * work, and keeps no other one waiting. Gives how many succeeded.
 */
export async function eachAlone<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  log: Logger,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    try {
      await work(item);
      done++;
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'A piece of unfinished work failed again.');
    }
  }
  return done;
}
