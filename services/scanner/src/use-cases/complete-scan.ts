import { AppError, scanCompleted, scanFailed, type SbomReference } from '@bomtrail/messages';
import type { Announce, Logger, Publish } from '@bomtrail/service-kit';
import type { Metrics } from '../metrics';
import { scanComponentSet, type ScanDeps } from './scan-component-set';

export interface CompleteScanDeps extends ScanDeps {
  announce: Announce;
  publish: Publish;
  log: Logger;
  metrics: Metrics;
}

/** Scans the component set of an SBOM and announces it. */
export async function completeScan(deps: CompleteScanDeps, scan: SbomReference): Promise<void> {
  const { lane } = scan;
  const stopTimer = deps.metrics.scanSeconds.startTimer({ lane });
  try {
    await scanComponentSet(deps, scan.digest);
  } catch (error) {
    deps.metrics.scans.inc({ lane, result: 'error' });
    throw toOutcome(deps.log, scan, error);
  }
  stopTimer();
  deps.metrics.scans.inc({ lane, result: 'completed' });
  await deps.announce(scanCompleted, scan);
}

/** Tells the others that a scan was given up, in words that a person can act on. */
export async function failScan(
  deps: Pick<CompleteScanDeps, 'publish' | 'metrics'>,
  scan: SbomReference,
  reason: string,
): Promise<void> {
  deps.metrics.scans.inc({ lane: scan.lane, result: 'given_up' });
  const told = `The scan was given up after several tries: ${reason} Upload the SBOM again; if that does not help, the scanner's log has the cause.`;
  await deps.publish(scanFailed, { sbom_id: scan.sbom_id, reason: told.slice(0, 500) });
}

/** The reason of a failure travels to people, so what is internal stays in the log. */
function toOutcome(log: Logger, scan: SbomReference, error: unknown): AppError {
  if (error instanceof AppError && error.code === 'sbom_not_found')
    return new AppError(error.code, 'The components of the SBOM are not stored any more.');
  if (error instanceof AppError) return error;
  log.error({ err: error, sbom_id: scan.sbom_id }, 'A scan failed.');
  return new AppError('internal_error', 'An internal error stopped the scan.');
}
