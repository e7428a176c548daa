import { AppError, scanCompleted, scanFailed, type SbomReference } from '@bomtrail/messages';
import type { PublishResult } from '@bomtrail/messaging';
import type { Logger } from '@bomtrail/telemetry';
import { isMissingForGood } from './domain/missing-set';
import type { Metrics } from '../metrics';
import { FeedsAwaited, parkScan, type AwaitFeedsDeps } from '../feeds/await-feeds';
import { scanComponentSet, type ScanDeps } from './scan-component-set';

export interface CompleteScanDeps extends ScanDeps, AwaitFeedsDeps {
  publishResult: PublishResult;
  log: Logger;
  metrics: Metrics;
}

/**
 * Scans the component set of an SBOM and publishes the result. A scan that needs a first load waits
 * until that has finished or failed.
 *
 * @throws AppError `service_unavailable` for a temporary failure, `sbom_not_found` when the
 *   components are missing for good; other errors as they are
 */
export async function completeScan(deps: CompleteScanDeps, scan: SbomReference): Promise<void> {
  const { lane } = scan;
  const stopTimer = deps.metrics.scanSeconds.startTimer({ lane });
  let revision: number | null;
  try {
    revision = await scanOrPark(deps, scan);
  } catch (error) {
    deps.metrics.scans.inc({ lane, result: 'error' });
    throw toOutcome(deps.log, scan, error);
  }
  if (revision === null) {
    deps.metrics.scans.inc({ lane, result: 'parked' });
    return;
  }
  stopTimer();
  deps.metrics.scans.inc({ lane, result: 'completed' });
  const scanned_at = new Date().toISOString();
  await deps.publishResult(scanCompleted, { ...scan, evaluated_revision: revision, scanned_at });
}

/** The evaluated revision; null when the scan waits for advisories. */
async function scanOrPark(deps: CompleteScanDeps, scan: SbomReference): Promise<number | null> {
  try {
    return await scanComponentSet(deps, scan.digest);
  } catch (error) {
    if (!(error instanceof FeedsAwaited)) throw error;
    await parkScan(deps, scan, error.ecosystems);
    return null;
  }
}

/** Publishes that a scan was given up, with a readable reason. */
export async function failScan(
  deps: Pick<CompleteScanDeps, 'publishOrThrow' | 'metrics'>,
  scan: SbomReference,
  reason: string,
): Promise<void> {
  deps.metrics.scans.inc({ lane: scan.lane, result: 'given_up' });
  const detail = `The scan was given up: ${reason} Upload the SBOM again; if that does not help, see the scanner's log.`;
  const { sbom_id, attempt } = scan;
  await deps.publishOrThrow(scanFailed, { sbom_id, attempt, reason: detail.slice(0, 500) });
}

/** Missing components may still be stored; after some minutes the error is final. */
function outcomeOfMissing({ created_at }: SbomReference): AppError {
  return isMissingForGood(created_at, Date.now())
    ? new AppError('sbom_not_found', 'The components of the SBOM are not stored.')
    : new AppError(
        'service_unavailable',
        'The components of the SBOM are not stored yet; the scan will be retried.',
      );
}

function toOutcome(log: Logger, scan: SbomReference, error: unknown): unknown {
  if (error instanceof AppError)
    return error.code === 'sbom_not_found' ? outcomeOfMissing(scan) : error;
  log.error({ err: error, sbom_id: scan.sbom_id }, 'A scan failed.');
  return error;
}
