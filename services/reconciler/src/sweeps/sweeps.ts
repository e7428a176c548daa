import type { Sweep } from '@bomtrail/service-kit';
import { applyAcceptance } from '../use-cases/apply-acceptance';
import type { ChangeLineDeps } from '../use-cases/change-line';

const batchSize = 200;
const unsettledMs = 10_000;

/** What finds the reconciler's unfinished work in its database. */
export function reconcilerSweeps(deps: ChangeLineDeps): Sweep[] {
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
        const expired = await deps.acceptances.expired(new Date(), batchSize);
        for (const acceptance of expired) {
          if (await deps.acceptances.lapse(acceptance))
            await applyAcceptance(deps, { ...acceptance, pending: 'apply' });
        }
        return expired.length;
      },
    },
  ];
}
