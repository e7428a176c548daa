import { listFinished, maxFinishedSboms } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { ScanWaits } from './scan-waits';

/** Asks the catalog for all SBOMs that somebody waits for, and wakes those whose word was missed. */
export async function pollFinished(deps: { waits: ScanWaits; request: Request }): Promise<void> {
  const ids = deps.waits.sbomIds();
  for (let at = 0; at < ids.length; at += maxFinishedSboms) {
    const sbom_ids = ids.slice(at, at + maxFinishedSboms);
    deps.waits.tell((await deps.request(listFinished, { sbom_ids })).body.sbom_ids);
  }
}
