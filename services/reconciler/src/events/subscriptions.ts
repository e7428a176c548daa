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
} from '@bomtrail/service-kit';
import { completeRescan } from '../use-cases/complete-rescan';
import type { UploadsFirst } from '../use-cases/yield-to-uploads';
import { reconcileSbom, type ReconcileSbomDeps } from '../use-cases/reconcile-sbom';

const reasonLength = 400;

/**
 * What the reconciler hears of others: scans that are done, uploads and re-scans in lanes of their own.
 *
 * @param uploads, ofRescans made for many lines in hand, each with groups of its own
 */
export function reconcilerSubscriptions(
  deps: ReconcileSbomDeps & { publishOrThrow: PublishOrThrow },
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
        reason: `The result could not be put into the lists: ${reason}`.slice(0, reasonLength),
      }),
  });
  return [
    consumes(
      reconcilerUploads,
      handlerOf((scan) => uploadsFirst.upload(() => reconcileSbom(deps, scan))),
    ),
    consumes(
      reconcilerRescans,
      handlerOf((scan) => reconcileSbom(ofRescans, scan)),
    ),
    // What fails for good is asked for as a scan by the catalog's sweep, which ends in a `scanFailed`.
    consumes(reconcilerPackageRescans, { handle: (change) => completeRescan(ofRescans, change) }),
  ];
}
