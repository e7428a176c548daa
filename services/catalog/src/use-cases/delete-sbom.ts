import { AppError, removeSbom } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { LineStore } from '../store/line-store';
import type { SbomStore } from '../store/sbom-store';

export interface DeleteSbomDeps {
  sboms: SbomStore;
  lines: LineStore;
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
  if (!sbom || !(await deps.lines.byId(sbom.line_id))) throw new AppError('sbom_not_found');
  await deps.lines.bury(sbom, new Date());
  await deps.request(removeSbom, {
    sbom_id: sbom._id,
    line_id: sbom.line_id,
    project_id: sbom.project_id,
  });
  if (!(await deps.sboms.purge(sbom._id))) throw new AppError('sbom_not_found');
}
