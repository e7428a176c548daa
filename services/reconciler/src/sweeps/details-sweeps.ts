import { garbageSweepSeconds } from '@bomtrail/deletion';
import type { Sweep } from '@bomtrail/service-runtime';
import type { DetailsGarbage } from '../tracking/store/details-garbage';

/** Sweeps that mark and delete unused details. */
export function detailsSweeps(deps: { garbage: DetailsGarbage; graceMs: number }): Sweep[] {
  const { garbage, graceMs } = deps;
  const { drop, check } = garbageSweepSeconds(graceMs);
  return [
    {
      name: 'marked-details',
      everySeconds: drop,
      run: () => garbage.deleteUnused(new Date(Date.now() - graceMs)),
    },
    {
      name: 'unused-details',
      everySeconds: check,
      run: () => garbage.markUnused(new Date()),
    },
  ];
}
