import { pageWindow, type PageOf, type Severity, type VulnerabilityView } from '@bomtrail/messages';
import type { ListFilter, ListOrder } from './store/list-plan';
import type { ListStore } from './store/list-store';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';
import { vulnerabilityViews, type VulnerabilityViewsDeps } from './vulnerability-views';

export interface ListActiveDeps extends VulnerabilityViewsDeps, LapseExpiredDeps {
  lists: ListStore;
}

/** One page of the vulnerabilities that are open and not accepted. */
export async function listActive(
  deps: ListActiveDeps,
  query: ListFilter & ListOrder & { page: number; per_page: number },
): Promise<PageOf<VulnerabilityView>> {
  await lapseExpired(deps, query.project_id);
  const filter = { ...query, statuses: ['open' as const] };
  const { items, total } = await deps.lists.page(filter, query, pageWindow(query));
  return { items: (await vulnerabilityViews(deps, items)).map(({ view }) => view), total };
}

/** The counts of open vulnerabilities by severity, consistent with `listActive` in the same scope. */
export async function summariseActive(
  deps: Pick<ListActiveDeps, 'lists' | 'lapses'>,
  scope: Pick<ListFilter, 'project_id' | 'service_id'>,
): Promise<Record<Severity | 'total', number>> {
  await lapseExpired(deps, scope.project_id);
  return deps.lists.countBySeverity(scope);
}
