import { catalogReconciled, catalogRescans, catalogScanFailures } from '@bomtrail/messages';
import { createBatcher } from '@bomtrail/concurrency';
import { consumes, type EventTransport } from '@bomtrail/messaging';
import type { SbomStore } from '../store/sbom-store';
import { markFailed, markScanned, type MarkScannedDeps } from '../use-cases/mark-scanned';

const batchSize = 500;

/** Subscriptions of the catalog. */
export function catalogSubscriptions(
  deps: MarkScannedDeps & { sboms: Pick<SbomStore, 'markRescanned'> },
): EventTransport[] {
  const batched = createBatcher<{ sbom_id: string; revision: number }, void>(async (done) => {
    await markScanned(deps, done);
    return done.map(() => undefined);
  }, batchSize);
  return [
    consumes(catalogReconciled, { handle: batched }),
    consumes(catalogRescans, { handle: (done) => deps.sboms.markRescanned(done, new Date()) }),
    consumes(catalogScanFailures, { handle: (failed) => markFailed(deps, failed) }),
  ];
}
