import { AppError, removeSbom, removeSboms } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { SbomDocument } from '../store/documents';
import type { ServiceStore } from '../store/service-store';
import type { SbomStore } from '../store/sbom-store';

export interface DeleteSbomDeps {
  sboms: SbomStore;
  services: ServiceStore;
  request: Request;
}

/**
 * Deletes an SBOM: tombstone, removed from the service state, purged. Repeating it after a failure
 * resumes; exactly one of several callers succeeds.
 *
 * @throws AppError `sbom_not_found`; `service_unavailable` while the service state cannot be
 * changed
 */
export async function deleteSbom(deps: DeleteSbomDeps, sbomId: string): Promise<void> {
  const sbom = await deps.sboms.byIdOrTombstone(sbomId);
  if (!sbom || sbom.removed_at || !(await deps.services.byId(sbom.service_id))) {
    throw new AppError('sbom_not_found');
  }
  await deps.services.addTombstones(sbom.service_id, [sbom._id], { now: new Date() });
  const waiting = await deps.sboms.waitingForRescan([sbom._id]);
  await deps.request(removeSbom, {
    finished: waiting.length === 0,
    sbom_id: sbom._id,
    service_id: sbom.service_id,
    project_id: sbom.project_id,
  });
  await deps.sboms.passOnRescans(waiting, new Date());
  if ((await deps.sboms.purge([sbom._id], new Date())) === 0) throw new AppError('sbom_not_found');
}

/**
 * Like `deleteSbom`, for several SBOMs of one service in one step, for retention and sweeps. If the
 * latest SBOM of the service is among them, nothing is deleted.
 *
 * @param sboms at most `maxRemovedSboms`
 * @returns the number of SBOMs deleted by this call
 * @throws AppError `service_unavailable` while the service state cannot be changed; the SBOMs are
 * hidden then,
 * and the sweep of unfinished deletes continues
 */
export async function deleteSboms(
  deps: DeleteSbomDeps,
  service: { _id: string; project_id: string },
  sboms: readonly SbomDocument[],
): Promise<number> {
  const ids = sboms.map(({ _id }) => _id);
  const tombstoned = await deps.services.addTombstones(service._id, ids, {
    now: new Date(),
    exceptLatest: true,
  });
  if (tombstoned === 'latest') return 0;
  const waiting = await deps.sboms.waitingForRescan(ids);
  await deps.request(removeSboms, {
    finished: waiting.length === 0,
    sbom_ids: ids,
    service_id: service._id,
    project_id: service.project_id,
  });
  await deps.sboms.passOnRescans(waiting, new Date());
  return deps.sboms.purge(ids, new Date());
}
