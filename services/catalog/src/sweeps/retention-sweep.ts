import type { Sweep } from '@bomtrail/service-runtime';
import type { Logger } from '@bomtrail/telemetry';
import type { Metrics } from '../metrics';
import { applyRetention, type ApplyRetentionDeps } from '../use-cases/apply-retention';

const sbomsPerRound = 5_000;
/**
 * At least half of the sweep's lease. A slow service may exceed it: two processes that expire
 * the same are harmless.
 */
const roundMs = 15_000;

/** Applies retention, a bounded part per round. */
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
      deps.metrics.expired.inc(round.expired);
      if (round.expired > 0 || round.failed > 0) {
        log.info(round, 'Retention expired SBOMs.');
      }
      if (round.failed > 0) throw new Error('Retention could not be applied to every service.');
      return round.expired;
    },
  };
}
