import type { Logger, Sweep } from '@bomtrail/service-kit';
import type { Metrics } from '../metrics';
import { applyRetention, type ApplyRetentionDeps } from '../use-cases/apply-retention';

const sbomsPerRound = 5_000;
/** Half of the sweep's lease, at least. A line that is slow may outlast it: what two processes drop at once is dropped once. */
const roundMs = 15_000;

/** Deletes what the projects no longer keep, some of it in each round. */
export function retentionSweep(
  deps: ApplyRetentionDeps & { metrics: Metrics },
  options: { everySeconds: number; log: Logger },
): Sweep {
  const { everySeconds, log } = options;
  return {
    name: 'retention',
    everySeconds,
    async run() {
      const bounds = { sboms: sbomsPerRound, withinMs: roundMs, log };
      const round = await applyRetention(deps, bounds);
      deps.metrics.dropped.inc(round.dropped);
      if (round.dropped > 0 || round.failed > 0) {
        log.info(round, 'Retention deleted SBOMs that their projects no longer keep.');
      }
      return round.dropped;
    },
  };
}
