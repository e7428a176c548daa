import { scannerRescans, scannerUploads, type SbomReference } from '@bomtrail/messages';
import { consumes, type EventTransport, type MessageHandler } from '@bomtrail/messaging';
import type { UploadPauses } from '@bomtrail/service-runtime';
import { completeScan, failScan, type CompleteScanDeps } from '../matching/complete-scan';

/** Subscriptions of the scanner's work queue; lanes do not block each other. */
export function scannerSubscriptions(
  deps: CompleteScanDeps & { uploadPauses: UploadPauses },
): EventTransport[] {
  const handler: MessageHandler<SbomReference> = {
    async handle(scan) {
      await deps.uploadPauses.pass();
      await completeScan(deps, scan);
    },
    giveUp: (scan, reason) => failScan(deps, scan, reason),
  };
  return [consumes(scannerUploads, handler), consumes(scannerRescans, handler)];
}
