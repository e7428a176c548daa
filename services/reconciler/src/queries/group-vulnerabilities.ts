import {
  pageWindow,
  type Grouping,
  type PageOf,
  type VulnerabilityGroup,
} from '@bomtrail/messages';
import { withExpiriesApplied, type LapseExpiredDeps } from '../decisions/lapse-expired';
import type { GroupStore } from './store/group-store';
import type { StateFilter } from './store/list-filter';

export interface GroupVulnerabilitiesDeps extends LapseExpiredDeps {
  groups: GroupStore;
}

/** One page of groups of the vulnerabilities with these statuses that a filter selects. */
export async function groupVulnerabilities(
  deps: GroupVulnerabilitiesDeps,
  query: StateFilter & { group_by: Grouping; page: number; per_page: number },
): Promise<PageOf<VulnerabilityGroup>> {
  const { group_by } = query;
  return withExpiriesApplied(deps, query.project_id, () =>
    deps.groups.group({ filter: query, group_by, window: pageWindow(query) }),
  );
}
