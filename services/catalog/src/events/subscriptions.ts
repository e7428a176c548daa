import { catalogCaughtUp, catalogReconciled, catalogScanFailures } from '@bomtrail/messages';
import { consumes, createBatcher, type EventDoor } from '@bomtrail/service-kit';
import type { SbomStore } from '../store/sbom-store';

const batchSize = 500;

/** What the catalog hears of others. */
export function catalogSubscriptions(deps: { sboms: SbomStore }): EventDoor[] {
  const markScanned = createBatcher<{ sbom_id: string; revision: number }, void>(async (done) => {
    await deps.sboms.markScanned(done, new Date());
    return done.map(() => undefined);
  }, batchSize);

  return [
    consumes(catalogReconciled, { handle: markScanned }),
    consumes(catalogCaughtUp, { handle: (done) => deps.sboms.markCaughtUp(done, new Date()) }),
    consumes(catalogScanFailures, {
      handle: (failure) => deps.sboms.markFailed(failure.sbom_id, failure.reason),
    }),
  ];
}
