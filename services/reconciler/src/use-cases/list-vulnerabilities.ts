import {
  pageWindow,
  type PageOf,
  type StateView,
  type VulnerabilityStatus,
} from '@bomtrail/messages';
import type { ListFilter, ListOrder } from '../store/list-plan';
import type { StateListStore } from '../store/state-list-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import { pointOf } from './read-vulnerability';
import { rowViews, type RowViewsDeps } from './row-views';

export interface ListVulnerabilitiesDeps extends RowViewsDeps, LapseExpiredDeps {
  stateLists: StateListStore;
}

/**
 * One page of the vulnerabilities in these states, with the SBOMs that brought and that fixed them.
 * `sortable` false: they are too many for this order, and none is given.
 */
export async function listVulnerabilities(
  deps: ListVulnerabilitiesDeps,
  query: ListFilter &
    ListOrder & { statuses: VulnerabilityStatus[]; page: number; per_page: number },
): Promise<PageOf<StateView> & { sortable: boolean }> {
  await lapseExpired(deps, query.project_id);
  const { items, total, sortable } = await deps.stateLists.page(query, query, pageWindow(query));
  const itemOf = new Map(items.map((item) => [item.row, item]));
  const views = await rowViews(deps, [...itemOf.keys()]);
  const listed = views.flatMap(({ row, view }): StateView[] => {
    const item = itemOf.get(row);
    if (!item) return [];
    const { introduced_in, fixed_in } = item;
    return [
      {
        ...view,
        introduced_in: pointOf(introduced_in),
        fixed_in: fixed_in && pointOf(fixed_in),
        reopened: row.runs.length - 1,
      },
    ];
  });
  return { items: listed, total, sortable };
}
