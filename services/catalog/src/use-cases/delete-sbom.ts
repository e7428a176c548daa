import { AppError, removeSbom, removeSboms } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { SbomDocument } from '../store/documents';
import type { ServiceStore } from '../store/service-store';
import type { SbomStore } from '../store/sbom-store';

export interface DeleteSbomDeps {
  sboms: SbomStore;
  services: ServiceStore;
  request: Request;
}

/**
 * Deletes an SBOM: tombstone, out of the lists, gone. Repeating it after a failure resumes where it
 * stopped; of several callers exactly one succeeds.
 *
 * @throws AppError `sbom_not_found`; `service_unavailable` while the lists cannot be changed
 */
export async function deleteSbom(deps: DeleteSbomDeps, sbomId: string): Promise<void> {
  const sbom = await deps.sboms.byIdOrTombstone(sbomId);
  if (!sbom || sbom.removed_at || !(await deps.services.byId(sbom.service_id))) {
    throw new AppError('sbom_not_found');
  }
  await deps.services.bury(sbom.service_id, [sbom._id], { now: new Date() });
  const finished = !(await deps.sboms.isRescanPending([sbom._id]));
  await deps.request(removeSbom, {
    finished,
    sbom_id: sbom._id,
    service_id: sbom.service_id,
    project_id: sbom.project_id,
  });
  if ((await deps.sboms.purge([sbom._id], new Date())) === 0) throw new AppError('sbom_not_found');
}

/**
 * The same for some SBOMs of one line that nobody asked for, which the lists leave out in one step. The
 * latest SBOM of a line is none of them: where it has become one meanwhile, nothing is deleted.
 *
 * @param sboms at most `maxRemovedSboms`
 * @returns how many this call has deleted
 * @throws AppError `service_unavailable` while the lists cannot be changed; they are hidden then, and the
 *   sweep of unfinished deletes goes on
 */
export async function deleteSboms(
  deps: DeleteSbomDeps,
  service: { _id: string; project_id: string },
  sboms: readonly SbomDocument[],
): Promise<number> {
  const ids = sboms.map(({ _id }) => _id);
  const buried = await deps.services.bury(service._id, ids, {
    now: new Date(),
    notTheLatest: true,
  });
  if (buried === 'latest') return 0;
  const finished = !(await deps.sboms.isRescanPending(ids));
  await deps.request(removeSboms, {
    finished,
    sbom_ids: ids,
    service_id: service._id,
    project_id: service.project_id,
  });
  return deps.sboms.purge(ids, new Date());
}
