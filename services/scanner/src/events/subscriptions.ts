import { scannerRescans, scannerUploads, type SbomReference } from '@bomtrail/messages';
import { consumes, type EventTransport, type MessageHandler } from '@bomtrail/service-kit';
import { completeScan, failScan, type CompleteScanDeps } from '../use-cases/complete-scan';

/** What the scanner takes from its work queue: the lanes never wait for each other. */
export function scannerSubscriptions(deps: CompleteScanDeps): EventTransport[] {
  const handler: MessageHandler<SbomReference> = {
    handle: (scan) => completeScan(deps, scan),
    giveUp: (scan, reason) => failScan(deps, scan, reason),
  };
  return [consumes(scannerUploads, handler), consumes(scannerRescans, handler)];
}
