import type { Kit, Sweep } from '@bomtrail/service-kit';
import { countServiceStates } from '../store/prepare-lists';

/**
 * Finds what a process of a release that does not count listed rows has written since this one
 * started, as in an update of one process after the other.
 */
export function uncountedStates({ database }: Pick<Kit, 'database'>): Sweep {
  return {
    name: 'uncounted-states',
    everySeconds: 600,
    run: () => countServiceStates(database),
  };
}
