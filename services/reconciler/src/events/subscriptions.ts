import {
  reconcilerPackageRescans,
  reconcilerRescans,
  reconcilerUploads,
  scanFailed,
  type SbomReference,
} from '@bomtrail/messages';
import {
  consumes,
  type EventTransport,
  type MessageHandler,
  type PublishOrThrow,
} from '@bomtrail/messaging';
import type { UploadPauses } from '@bomtrail/service-runtime';
import { completeRescan } from '../tracking/complete-rescan';
import type { UploadsFirst } from '../tracking/yield-to-uploads';
import type { VexFollower } from '../vex/follow-service';
import { reconcileSbom, type ReconcileSbomDeps } from '../tracking/reconcile-sbom';

const reasonLength = 400;

/**
 * The reconciler's subscriptions: finished scans, with a consumer for uploads and one for re-scans.
 *
 * @param deps for uploads
 * @param ofRescans for re-scans, with batches of their own
 */
export function reconcilerSubscriptions(
  deps: ReconcileSbomDeps & {
    publishOrThrow: PublishOrThrow;
    uploadPauses: UploadPauses;
    vex: VexFollower;
  },
  ofRescans: ReconcileSbomDeps & { uploadsFirst: UploadsFirst },
): EventTransport[] {
  const { uploadsFirst } = ofRescans;
  const handlerOf = (
    handle: (scan: SbomReference) => Promise<void>,
  ): MessageHandler<SbomReference> => ({
    handle,
    giveUp: (scan, reason) =>
      deps.publishOrThrow(scanFailed, {
        sbom_id: scan.sbom_id,
        attempt: scan.attempt,
        reason: `The scan result could not be applied: ${reason}`.slice(0, reasonLength),
      }),
  });
  return [
    consumes(
      reconcilerUploads,
      handlerOf(async (scan) => {
        await deps.uploadPauses.pass();
        await uploadsFirst.upload(() =>
          deps.vex.aroundScan(scan, (how) => reconcileSbom(deps, scan, how)),
        );
      }),
    ),
    consumes(
      reconcilerRescans,
      handlerOf((scan) => deps.vex.aroundScan(scan, (how) => reconcileSbom(ofRescans, scan, how))),
    ),
    // The catalog's sweep requests a failed one again as a scan, which can end in `scanFailed`.
    consumes(reconcilerPackageRescans, { handle: (change) => completeRescan(ofRescans, change) }),
  ];
}
