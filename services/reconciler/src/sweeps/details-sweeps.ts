import { garbageSweepSeconds, type Sweep } from '@bomtrail/service-kit';
import type { DetailsStore } from '../store/details-store';

/** What finds details that no row shows any more. */
export function detailsSweeps(deps: { details: DetailsStore; graceMs: number }): Sweep[] {
  const { details, graceMs } = deps;
  const { drop, check } = garbageSweepSeconds(graceMs);
  return [
    {
      name: 'marked-details',
      everySeconds: drop,
      run: () => details.dropUnshown(new Date(Date.now() - graceMs)),
    },
    {
      name: 'unshown-details',
      everySeconds: check,
      run: () => details.markUnused(new Date()),
    },
  ];
}
