import { sbomsFinished, type SbomReference } from '@bomtrail/messages';
import type { Broadcast } from '@bomtrail/messaging';
import type { SbomStore } from '../store/sbom-store';

export interface MarkScannedDeps {
  sboms: Pick<SbomStore, 'markScanned' | 'markFailed'>;
  broadcast: Broadcast;
}

/**
 * Marks SBOMs whose findings are in the lists as scanned, and wakes the gateways that wait for them.
 * Idempotent.
 */
export async function markScanned(
  { sboms, broadcast }: MarkScannedDeps,
  done: Pick<SbomReference, 'sbom_id' | 'revision'>[],
): Promise<void> {
  await sboms.markScanned(done, new Date());
  broadcast(sbomsFinished, { sbom_ids: done.map(({ sbom_id }) => sbom_id) });
}

/** Likewise for one SBOM whose scan failed. */
export async function markFailed(
  { sboms, broadcast }: MarkScannedDeps,
  failed: Parameters<SbomStore['markFailed']>[0],
): Promise<void> {
  await sboms.markFailed(failed);
  broadcast(sbomsFinished, { sbom_ids: [failed.sbom_id] });
}
