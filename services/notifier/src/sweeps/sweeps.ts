import type { Sweep } from '@bomtrail/service-kit';
import { dropLeftovers, type DropLeftoversDeps } from '../use-cases/drop-leftovers';

/** What was told of deleted lines does no harm: it only takes space. */
const leftoversSeconds = 3600;

export function notifierSweeps(deps: DropLeftoversDeps): Sweep[] {
  return [
    {
      name: 'leftovers-of-alerts',
      everySeconds: leftoversSeconds,
      run: () => dropLeftovers(deps),
    },
  ];
}
