import type { Sweep } from '@bomtrail/service-runtime';
import { dropLeftovers, type DropLeftoversDeps } from '../use-cases/drop-leftovers';

/** Notifications of deleted services are harmless and only take space. */
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
