import {
  type PageOf,
  pageWindow,
  type Severity,
  type StatePage,
  type StateView,
  type VulnerabilityView,
} from '@bomtrail/messages';
import type { ListFilter, StateFilter } from './store/list-filter';
import type { ListOrder } from './store/list-plan';
import type { ListStore } from './store/list-store';
import { type LapseExpiredDeps, withExpiriesApplied } from '../decisions/lapse-expired';
import { pointOf } from './read-vulnerability';
import {
  readingRisk,
  vulnerabilityViews,
  type VulnerabilityViewsDeps,
} from './vulnerability-views';

export interface ListVulnerabilitiesDeps extends VulnerabilityViewsDeps, LapseExpiredDeps {
  lists: ListStore;
}

/** One page of the vulnerabilities that are open and not accepted. */
export async function listActive(
  deps: ListVulnerabilitiesDeps,
  query: ListFilter & ListOrder & { page: number; per_page: number },
): Promise<PageOf<VulnerabilityView>> {
  const filter = { ...query, statuses: ['open' as const] };
  const { items, total, heads } = await withExpiriesApplied(deps, query.project_id, () =>
    deps.lists.page(filter, query, pageWindow(query)),
  );
  const views = await vulnerabilityViews(readingRisk(deps, query), items, heads);
  return { items: views.map(({ view }) => view), total };
}

/** The counts of open vulnerabilities by severity, of exactly what `listActive` lists with the same filter. */
export async function summariseActive(
  deps: Pick<ListVulnerabilitiesDeps, 'lists' | 'lapses'>,
  filter: ListFilter,
): Promise<Record<Severity | 'total', number>> {
  return withExpiriesApplied(deps, filter.project_id, () =>
    deps.lists.countBySeverity({ ...filter, statuses: ['open'] }),
  );
}

/**
 * One page of the vulnerabilities with these statuses, with the SBOMs that introduced and fixed them, in any
 * order for any number.
 */
export async function listVulnerabilities(
  deps: ListVulnerabilitiesDeps,
  query: StateFilter & ListOrder & { page: number; per_page: number; count?: boolean | undefined },
): Promise<StatePage> {
  const window = { ...pageWindow(query), isCounted: query.count ?? true };
  const { items, heads, ...page } = await withExpiriesApplied(deps, query.project_id, () =>
    deps.lists.pageWithVersions(query, query, window),
  );
  const itemOf = new Map(items.map((item) => [item.vulnerability, item]));
  const views = await vulnerabilityViews(readingRisk(deps, query), [...itemOf.keys()], heads);
  const records = views.flatMap(({ vulnerability, view }): StateView[] => {
    const item = itemOf.get(vulnerability);
    if (!item) return [];
    const { introduced_in, fixed_in } = item;
    const history = {
      introduced_in: pointOf(introduced_in),
      fixed_in: fixed_in && pointOf(fixed_in),
      reopened: vulnerability.presence.length - 1,
    };
    return [Object.assign(view, history)];
  });
  return { items: records, ...page };
}
