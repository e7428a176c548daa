import {
  pageWindow,
  type PageOf,
  type StateView,
  type VulnerabilityStatus,
} from '@bomtrail/messages';
import type { ListFilter, ListOrder } from './store/list-plan';
import type { StateListStore } from './store/state-list-store';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';
import { pointOf } from './read-vulnerability';
import { vulnerabilityViews, type VulnerabilityViewsDeps } from './vulnerability-views';

export interface ListVulnerabilitiesDeps extends VulnerabilityViewsDeps, LapseExpiredDeps {
  stateLists: StateListStore;
}

/**
 * One page of the vulnerabilities with these statuses, with the SBOMs that introduced and fixed them.
 * `sortable` false: too many for this order; the page is empty.
 */
export async function listVulnerabilities(
  deps: ListVulnerabilitiesDeps,
  query: ListFilter &
    ListOrder & { statuses: VulnerabilityStatus[]; page: number; per_page: number },
): Promise<PageOf<StateView> & { sortable: boolean }> {
  await lapseExpired(deps, query.project_id);
  const { items, total, sortable } = await deps.stateLists.page(query, query, pageWindow(query));
  const itemOf = new Map(items.map((item) => [item.vulnerability, item]));
  const views = await vulnerabilityViews(deps, [...itemOf.keys()]);
  const records = views.flatMap(({ vulnerability, view }): StateView[] => {
    const item = itemOf.get(vulnerability);
    if (!item) return [];
    const { introduced_in, fixed_in } = item;
    return [
      {
        ...view,
        introduced_in: pointOf(introduced_in),
        fixed_in: fixed_in && pointOf(fixed_in),
        reopened: vulnerability.presence.length - 1,
      },
    ];
  });
  return { items: records, total, sortable };
}
