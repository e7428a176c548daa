import { garbageSweepSeconds } from '@bomtrail/deletion';
import type { Sweep } from '@bomtrail/service-runtime';
import { deleteMarked, type CollectGarbageDeps } from '../use-cases/collect-garbage';
import { indexLicencesOfSets, type IndexLicencesDeps } from '../use-cases/index-licences';
import { markGarbage } from '../use-cases/mark-garbage';

const indexSeconds = 30;

/** Sweeps that delete unreferenced content, and index the licences of sets of an earlier release. */
export function ingestSweeps(deps: CollectGarbageDeps & IndexLicencesDeps): Sweep[] {
  const { drop, check } = garbageSweepSeconds(deps.graceMs);
  return [
    { name: 'marked-content', everySeconds: drop, run: () => deleteMarked(deps) },
    { name: 'unreferenced-content', everySeconds: check, run: () => markGarbage(deps) },
    { name: 'licence-index', everySeconds: indexSeconds, run: () => indexLicencesOfSets(deps) },
  ];
}
