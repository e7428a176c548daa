import {
  catalogRescans,
  catalogReconciled,
  catalogScanFailures,
  sbomsFinished,
} from '@bomtrail/messages';
import { createBatcher } from '@bomtrail/concurrency';
import { consumes, type EventTransport, type Broadcast } from '@bomtrail/messaging';
import type { SbomStore } from '../store/sbom-store';

const batchSize = 500;

/** Subscriptions of the catalog. */
export function catalogSubscriptions(deps: {
  sboms: SbomStore;
  broadcast: Broadcast;
}): EventTransport[] {
  const markScanned = createBatcher<{ sbom_id: string; revision: number }, void>(async (done) => {
    await deps.sboms.markScanned(done, new Date());
    deps.broadcast(sbomsFinished, { sbom_ids: done.map(({ sbom_id }) => sbom_id) });
    return done.map(() => undefined);
  }, batchSize);

  return [
    consumes(catalogReconciled, { handle: markScanned }),
    consumes(catalogRescans, { handle: (done) => deps.sboms.markRescanned(done, new Date()) }),
    consumes(catalogScanFailures, {
      handle: async (failed) => {
        await deps.sboms.markFailed(failed);
        deps.broadcast(sbomsFinished, { sbom_ids: [failed.sbom_id] });
      },
    }),
  ];
}
