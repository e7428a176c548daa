import { eachAlone, type Sweep } from '@bomtrail/service-runtime';
import type { Logger } from '@bomtrail/telemetry';
import { applyAcceptance, type ApplyAcceptanceDeps } from '../decisions/apply-acceptance';
import { syncRiskScores, type SyncRiskDeps } from '../risk/sync-risk-scores';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';

const batchSize = 200;
const pendingMs = 10_000;

/** Sweeps that finish work on acceptances. */
export function reconcilerSweeps(
  deps: ApplyAcceptanceDeps & LapseExpiredDeps & SyncRiskDeps,
  log: Logger,
): Sweep[] {
  return [
    {
      name: 'pending-acceptances',
      everySeconds: 10,
      async run() {
        const pendingBefore = await deps.acceptances.pendingBefore(
          new Date(Date.now() - pendingMs),
          batchSize,
        );
        return eachAlone(pendingBefore, (acceptance) => applyAcceptance(deps, acceptance), log);
      },
    },
    {
      name: 'risk-scores',
      everySeconds: 15,
      run: () => syncRiskScores(deps),
    },
    {
      name: 'expired-acceptances',
      everySeconds: 2,
      async run() {
        return lapseExpired(deps);
      },
    },
  ];
}
