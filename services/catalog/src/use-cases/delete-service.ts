import { AppError } from '@bomtrail/messages';
import type { LineStore } from '../store/line-store';
import { hideDeleted, type HideDeletedDeps } from './hide-deleted';

/**
 * Deletes a service, with its SBOMs only where `cascade` says so. Repeating it after a failure
 * resumes where it stopped; of several callers exactly one succeeds.
 *
 * @param input `project_id`: the only project that exists for the caller, null when all do
 * @throws AppError `service_not_found`, `service_has_sboms`; `service_unavailable` while the
 * reconciler cannot hide what it has
 */
export async function deleteService(
  deps: HideDeletedDeps & { lines: LineStore },
  input: { service_id: string; cascade: boolean; project_id: string | null },
): Promise<void> {
  const { service_id, cascade, project_id } = input;
  const line = await deps.lines.byId(service_id);
  if (line && line.name !== null && (project_id ?? line.project_id) === line.project_id) {
    const begun = await deps.deletions.beginService(line, { withSboms: cascade, now: new Date() });
    if (!begun && (await deps.lines.byId(service_id))) throw new AppError('service_has_sboms');
  }
  const deletion = await deps.deletions.byId(service_id);
  if (
    deletion?.kind !== 'service' ||
    (project_id ?? deletion.project_id) !== deletion.project_id ||
    !(await hideDeleted(deps, deletion))
  ) {
    throw new AppError('service_not_found');
  }
}
