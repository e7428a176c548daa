import { listFinished, maxFinishedSboms } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { ScanWaits } from './scan-waits';

/** Polls the catalog for all SBOMs with waiting callers, in case a broadcast was lost. */
export async function pollFinished(deps: { waits: ScanWaits; request: Request }): Promise<void> {
  const ids = deps.waits.sbomIds();
  for (let at = 0; at < ids.length; at += maxFinishedSboms) {
    const sbom_ids = ids.slice(at, at + maxFinishedSboms);
    deps.waits.finish((await deps.request(listFinished, { sbom_ids })).body.sbom_ids);
  }
}
