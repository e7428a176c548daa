import { AppError, type AlertThreshold, type SbomRecord } from '@bomtrail/messages';
import { asStrictAs } from '../domain/gate-passed';
import type { GateStore } from '../store/gate-store';
import type { SbomStore } from '../store/sbom-store';
import { sbomRecord } from './views';

export interface GateBaselineDeps {
  sboms: Pick<SbomStore, 'withService'>;
  gates: GateStore;
}

/**
 * The baseline of a gate, see the message `find-baseline`.
 *
 * @throws AppError `sbom_not_found`, `baseline_not_found`
 */
export async function findBaseline(
  { sboms, gates }: GateBaselineDeps,
  request: { sbom_id: string; fail_on: AlertThreshold; named: string | null },
): Promise<SbomRecord | null> {
  const found = await sboms.withService(request.sbom_id);
  if (!found) throw new AppError('sbom_not_found');
  const { sbom, service } = found;
  if (request.named !== null) {
    const baseline = await gates.named(sbom, request.named);
    if (!baseline) throw new AppError('baseline_not_found');
    return sbomRecord(baseline, service);
  }
  const baseline = await gates.newestPassed(sbom, asStrictAs(request.fail_on));
  return baseline && sbomRecord(baseline, service);
}

/** @throws AppError `sbom_not_found` */
export async function recordGateOutcome(
  { gates }: GateBaselineDeps,
  { sbom_id, fail_on, passed }: { sbom_id: string; fail_on: AlertThreshold; passed: boolean },
): Promise<void> {
  const thresholds = passed ? [fail_on] : asStrictAs(fail_on);
  if (!(await gates.setPassed(sbom_id, { thresholds, passed }))) {
    throw new AppError('sbom_not_found');
  }
}
