import type { Logger } from '@bomtrail/telemetry';
import { inNewContext } from '@bomtrail/telemetry';
import type { Tracer } from '@bomtrail/telemetry';
import type { Leases } from '@bomtrail/mongo';
import { Counter, type Registry } from 'prom-client';

/** A periodic check of the stored state for unfinished work, run by one process at a time. */
export interface Sweep {
  readonly name: string;
  readonly everySeconds: number;
  /** Returns the number of items it processed. */
  run(): Promise<number>;
}

export interface RunningSweep {
  stop(): Promise<void>;
}

export type SweepMetrics = ReturnType<typeof createSweepMetrics>;

/** Metrics of the sweeps of a process. */
export function createSweepMetrics(registry: Registry) {
  const registers = [registry];
  return {
    runs: new Counter({
      name: 'bomtrail_sweep_runs_total',
      help: 'Runs of a sweep in this process, by result: `done` or `failed`',
      labelNames: ['sweep', 'result'] as const,
      registers,
    }),
    taken: new Counter({
      name: 'bomtrail_sweep_taken_total',
      help: 'Items of unfinished work that a sweep processed',
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

/** Runs a sweep immediately and then periodically. A failure is logged and retried in the next run; while it stays the same, only once. */
export function startSweep(sweep: Sweep, deps: SweepDeps): RunningSweep {
  const { runs, taken: takenUp } = deps.metrics;
  for (const result of ['done', 'failed']) runs.inc({ sweep: sweep.name, result }, 0);
  takenUp.inc({ sweep: sweep.name }, 0);
  let stopping = false;
  let wake: () => void = () => {};
  let lastFailure: string | null = null;

  function failed(reason: string): void {
    runs.inc({ sweep: sweep.name, result: 'failed' });
    const level = reason === lastFailure ? 'debug' : 'warn';
    deps.log[level]({ sweep: sweep.name, reason }, 'A sweep failed; it will run again.');
    lastFailure = reason;
  }

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
        if (lastFailure !== null) deps.log.info({ sweep: sweep.name }, 'A sweep succeeds again.');
        lastFailure = null;
        takenUp.inc({ sweep: sweep.name }, taken);
        if (taken > 0)
          deps.log.info({ sweep: sweep.name, taken }, 'A sweep processed unfinished work.');
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
        failed((error as Error).message);
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
 * Processes items one by one; a failure is logged and does not stop the others. Returns their number.
 *
 * @throws the last failure, after all items were tried: the run counts as failed
 */
export async function eachAlone<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  log: Logger,
): Promise<number> {
  let failure: Error | null = null;
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failure = error as Error;
      log.warn({ reason: failure.message }, 'Unfinished work failed again.');
    }
  }
  if (failure) throw failure;
  return items.length;
}
