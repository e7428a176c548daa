import { eachAlone, type Logger, type Sweep } from '@bomtrail/service-kit';
import { applyAcceptance, type ApplyAcceptanceDeps } from '../use-cases/apply-acceptance';
import { lapseExpired, type LapseExpiredDeps } from '../use-cases/lapse-expired';

const batchSize = 200;
const unsettledMs = 10_000;

/** What finds the reconciler's unfinished work in its database. */
export function reconcilerSweeps(
  deps: ApplyAcceptanceDeps & LapseExpiredDeps,
  log: Logger,
): Sweep[] {
  return [
    {
      name: 'unsettled-acceptances',
      everySeconds: 10,
      async run() {
        const unsettled = await deps.acceptances.unsettled(
          new Date(Date.now() - unsettledMs),
          batchSize,
        );
        return eachAlone(unsettled, (acceptance) => applyAcceptance(deps, acceptance), log);
      },
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
