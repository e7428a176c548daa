import { garbageSweepSeconds } from '@bomtrail/deletion';
import type { Sweep } from '@bomtrail/service-runtime';
import type { DetailsStore } from '../tracking/store/details-store';

/** Sweeps that mark and delete unused details. */
export function detailsSweeps(deps: { details: DetailsStore; graceMs: number }): Sweep[] {
  const { details, graceMs } = deps;
  const { drop, check } = garbageSweepSeconds(graceMs);
  return [
    {
      name: 'marked-details',
      everySeconds: drop,
      run: () => details.deleteUnused(new Date(Date.now() - graceMs)),
    },
    {
      name: 'unused-details',
      everySeconds: check,
      run: () => details.markUnused(new Date()),
    },
  ];
}
