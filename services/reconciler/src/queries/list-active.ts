import { pageWindow, type PageOf, type Severity, type VulnerabilityView } from '@bomtrail/messages';
import type { ListFilter } from './store/list-filter';
import type { ListOrder } from './store/list-plan';
import type { ListStore } from './store/list-store';
import { withExpiriesApplied, type LapseExpiredDeps } from '../decisions/lapse-expired';
import { vulnerabilityViews, type VulnerabilityViewsDeps } from './vulnerability-views';

export interface ListActiveDeps extends VulnerabilityViewsDeps, LapseExpiredDeps {
  lists: ListStore;
}

/** One page of the vulnerabilities that are open and not accepted. */
export async function listActive(
  deps: ListActiveDeps,
  query: ListFilter & ListOrder & { page: number; per_page: number },
): Promise<PageOf<VulnerabilityView>> {
  const filter = { ...query, statuses: ['open' as const] };
  const { items, total, heads } = await withExpiriesApplied(deps, query.project_id, () =>
    deps.lists.page(filter, query, pageWindow(query)),
  );
  return { items: (await vulnerabilityViews(deps, items, heads)).map(({ view }) => view), total };
}

/** The counts of open vulnerabilities by severity, of exactly what `listActive` lists with the same filter. */
export async function summariseActive(
  deps: Pick<ListActiveDeps, 'lists' | 'lapses'>,
  filter: ListFilter,
): Promise<Record<Severity | 'total', number>> {
  return withExpiriesApplied(deps, filter.project_id, () =>
    deps.lists.countBySeverity({ ...filter, statuses: ['open'] }),
  );
}
