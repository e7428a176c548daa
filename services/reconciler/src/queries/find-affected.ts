import {
  pageWindow,
  type findAffected as definition,
  type PartOf,
  type RequestOf,
  type VulnerabilityView,
} from '@bomtrail/messages';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';
import type { ReadAffected } from './store/affected-reader';
import { vulnerabilityViews, type VulnerabilityViewsDeps } from './vulnerability-views';

export interface FindAffectedDeps extends VulnerabilityViewsDeps, LapseExpiredDeps {
  affected: ReadAffected;
}

/**
 * One page of open or accepted vulnerabilities with a current or former id, by project, then by age.
 * `former_id`: the vulnerability no longer has the id.
 */
export async function findAffected(
  deps: FindAffectedDeps,
  query: RequestOf<typeof definition>,
): Promise<PartOf<VulnerabilityView & { former_id: boolean }>> {
  const id = query.id.trim().toUpperCase();
  await lapseExpired(deps, query.project_id);
  const { items, total } = await deps.affected(
    { identity: id, project_id: query.project_id, service_ids: query.service_ids },
    { ...pageWindow(query), after: query.after },
  );
  const last = items.length === query.per_page ? items.at(-1) : undefined;
  const views = await vulnerabilityViews(deps, items);
  return {
    items: views.map(({ vulnerability, view }) =>
      Object.assign(view, { former_id: vulnerability.former_ids?.includes(id) ?? false }),
    ),
    total,
    next: last ? { at: last.project_id, id: last._id } : null,
  };
}
