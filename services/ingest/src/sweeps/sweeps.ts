import { garbageSweepSeconds } from '@bomtrail/deletion';
import type { Sweep } from '@bomtrail/service-runtime';
import { deleteMarked, type CollectGarbageDeps } from '../use-cases/collect-garbage';
import { markGarbage } from '../use-cases/mark-garbage';

/** Sweeps that delete unreferenced content. */
export function ingestSweeps(deps: CollectGarbageDeps): Sweep[] {
  const { drop, check } = garbageSweepSeconds(deps.graceMs);
  return [
    { name: 'marked-content', everySeconds: drop, run: () => deleteMarked(deps) },
    { name: 'unreferenced-content', everySeconds: check, run: () => markGarbage(deps) },
  ];
}
