import type { Sweep } from '@bomtrail/service-kit';
import { applyAcceptance } from '../use-cases/apply-acceptance';
import type { ChangeLineDeps } from '../use-cases/change-line';

const batchSize = 200;
const unsettledMs = 10_000;
/** Expiries are looked for this far back, so that a pause of all processes loses none. */
const lookBackMs = 24 * 3600 * 1000;

/** What finds the reconciler's unfinished work in its database. */
export function reconcilerSweeps(deps: ChangeLineDeps): Sweep[] {
  let lookedUntil = new Date(Date.now() - lookBackMs);
  return [
    {
      name: 'unsettled-acceptances',
      everySeconds: 10,
      async run() {
        const unsettled = await deps.acceptances.unsettled(
          new Date(Date.now() - unsettledMs),
          batchSize,
        );
        for (const acceptance of unsettled) await applyAcceptance(deps, acceptance);
        return unsettled.length;
      },
    },
    {
      name: 'expired-acceptances',
      everySeconds: 2,
      async run() {
        const now = new Date();
        const expired = await deps.acceptances.expiredBetween(lookedUntil, now);
        for (const acceptance of expired) await applyAcceptance(deps, acceptance);
        lookedUntil = now;
        return expired.length;
      },
    },
  ];
}
