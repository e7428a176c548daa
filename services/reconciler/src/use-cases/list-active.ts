import { pageWindow, type PageOf, type VulnerabilityView } from '@bomtrail/messages';
import type { ListFilter, ListOrder, ListStore } from '../store/list-store';
import { rowViews, type RowViewsDeps } from './row-views';

export interface ListActiveDeps extends RowViewsDeps {
  lists: ListStore;
}

/** One page of the vulnerabilities that are open and not accepted. */
export async function listActive(
  deps: ListActiveDeps,
  query: ListFilter & ListOrder & { page: number; per_page: number },
): Promise<PageOf<VulnerabilityView>> {
  const { items, total } = await deps.lists.page(query, query, pageWindow(query));
  const open = items.map((row) => ({ ...row, status: 'open' as const }));
  return { items: (await rowViews(deps, open)).map(({ view }) => view), total };
}
