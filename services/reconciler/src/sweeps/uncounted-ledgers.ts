import type { Kit, Sweep } from '@bomtrail/service-kit';
import { countLedgers } from '../store/prepare-lists';

/**
 * Finds what a process of a release that does not count listed rows has written since this one
 * started, as in an update of one process after the other.
 */
export function uncountedLedgers({ database }: Pick<Kit, 'database'>): Sweep {
  return {
    name: 'uncounted-ledgers',
    everySeconds: 600,
    run: () => countLedgers(database),
  };
}
