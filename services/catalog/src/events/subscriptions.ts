import {
  catalogCaughtUp,
  catalogReconciled,
  catalogScanFailures,
  sbomsSettled,
} from '@bomtrail/messages';
import { consumes, createBatcher, type EventDoor, type Tell } from '@bomtrail/service-kit';
import type { SbomStore } from '../store/sbom-store';

const batchSize = 500;

/** What the catalog hears of others. */
export function catalogSubscriptions(deps: { sboms: SbomStore; tell: Tell }): EventDoor[] {
  const markScanned = createBatcher<{ sbom_id: string; revision: number }, void>(async (done) => {
    await deps.sboms.markScanned(done, new Date());
    deps.tell(sbomsSettled, { sbom_ids: done.map(({ sbom_id }) => sbom_id) });
    return done.map(() => undefined);
  }, batchSize);

  return [
    consumes(catalogReconciled, { handle: markScanned }),
    consumes(catalogCaughtUp, { handle: (done) => deps.sboms.markCaughtUp(done, new Date()) }),
    consumes(catalogScanFailures, {
      handle: async (failed) => {
        await deps.sboms.markFailed(failed);
        deps.tell(sbomsSettled, { sbom_ids: [failed.sbom_id] });
      },
    }),
  ];
}
