import {
  pageWindow,
  type PageOf,
  type StateView,
  type VulnerabilityStatus,
} from '@bomtrail/messages';
import type { RowDocument } from '../store/documents';
import type { ListFilter, ListOrder } from '../store/list-plan';
import type { LogPoint, LogPoints } from '../store/log-points';
import type { StateListStore } from '../store/state-list-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import { pointOf } from './read-vulnerability';
import { rowViews, type RowViewsDeps } from './row-views';

export interface ListVulnerabilitiesDeps extends RowViewsDeps, LapseExpiredDeps {
  stateLists: StateListStore;
  logPoints: LogPoints;
}

/**
 * One page of the vulnerabilities in these states, with the SBOMs that brought and that fixed
 * them. `sortable` false: they are too many for this order, and none is given.
 */
export async function listVulnerabilities(
  deps: ListVulnerabilitiesDeps,
  query: ListFilter &
    ListOrder & { statuses: VulnerabilityStatus[]; page: number; per_page: number },
): Promise<PageOf<StateView> & { sortable: boolean }> {
  await lapseExpired(deps, query.project_id);
  const { items, total, sortable } = await deps.stateLists.page(query, query, pageWindow(query));
  const begins = items.map((row) => beginOf(row));
  const ends = items.flatMap((row) => endOf(row) ?? []);
  const [views, begun, ended] = await Promise.all([
    rowViews(deps, items),
    deps.logPoints.at(begins),
    deps.logPoints.after(ends),
  ]);
  const listed = views.flatMap(({ row, view }): StateView[] => {
    const introduced = begun(beginOf(row));
    const end = endOf(row);
    const fixed = end && ended(end);
    // A row whose line moved on between the reads is shown by the next request.
    if (!introduced || fixed === undefined) return [];
    return [
      {
        ...view,
        introduced_in: pointOf(introduced),
        fixed_in: fixed && pointOf(fixed),
        reopened: row.runs.length - 1,
      },
    ];
  });
  return { items: listed, total, sortable };
}

function beginOf({ line_id, runs }: RowDocument): LogPoint {
  return { line_id, seq: runs[0]?.from ?? 0 };
}

/** The last SBOM that holds it; null while that is the newest one. */
function endOf({ line_id, runs }: RowDocument): LogPoint | null {
  const seq = runs.at(-1)?.to ?? null;
  return seq === null ? null : { line_id, seq };
}
