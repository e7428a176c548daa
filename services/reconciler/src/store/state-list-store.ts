import {
  maxSortedVulnerabilities,
  severities,
  vulnerabilityStatuses,
  type VulnerabilityStatus,
} from '@bomtrail/messages';
import type { IndexPlan } from '@bomtrail/service-kit';
import type { Db, Filter, Sort } from 'mongodb';
import type { RowDocument } from './documents';
import type { ForgetStore } from './forget-store';
import {
  asksForHidden,
  notHidden,
  sortFields,
  type ListFilter,
  type ListOrder,
} from './list-plan';

/**
 * For the default order over all states: with state and severity as lists of values MongoDB merges
 * their stretches, each of which is in order, whichever of them are asked for.
 */
export const stateListIndexes: IndexPlan = {
  tracked_vulnerabilities: [
    { key: { status: 1, severity: 1, score_sort: -1, _id: 1 } },
    { key: { project_id: 1, status: 1, severity: 1, score_sort: -1, _id: 1 } },
  ],
};

/** A row that some SBOM holds. */
export type StateRow = RowDocument & { status: VulnerabilityStatus };

export interface StateFilter extends ListFilter {
  statuses: readonly VulnerabilityStatus[];
}

/** One page; `sortable` false: too many match for this order. */
export interface StatePage {
  items: StateRow[];
  total: number;
  sortable: boolean;
}

export type StateListStore = ReturnType<typeof createStateListStore>;

/** Rows in any state, of projects and services that are not deleted. */
export function createStateListStore(db: Db, forgotten: Pick<ForgetStore, 'hidden'>) {
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');

  async function find(
    where: Filter<RowDocument>,
    sort: Sort,
    { skip, limit }: { skip: number; limit: number },
  ): Promise<StateRow[]> {
    const found = rows.find(where).sort(sort).skip(skip).limit(limit).allowDiskUse(true);
    return (await found.toArray()) as StateRow[];
  }

  return {
    /** Missing values come last in either order, so they are a second stretch behind the sorted one. */
    async page(
      filter: StateFilter,
      order: ListOrder,
      window: { skip: number; limit: number },
    ): Promise<StatePage> {
      const hidden = await forgotten.hidden();
      if (asksForHidden(filter, hidden)) return { items: [], total: 0, sortable: true };
      const where: Filter<RowDocument> = { ...notHidden(hidden), ...whereOf(filter) };
      const total = await rows.countDocuments(where);
      if (total === 0) return { items: [], total, sortable: true };
      const field = sortFields[order.sort];
      const indexed = field === 'score_sort' && order.order === 'desc';
      if (!indexed && total > maxSortedVulnerabilities) {
        return { items: [], total, sortable: false };
      }
      if (field === null)
        return { items: await find(where, { _id: 1 }, window), total, sortable: true };
      const direction = order.order === 'asc' ? 1 : -1;
      // Descending, what is missing is last by itself: MongoDB sorts null before every value.
      if (direction === -1) {
        return { items: await find(where, { [field]: -1, _id: 1 }, window), total, sortable: true };
      }
      const known = { ...where, [field]: { $ne: null } };
      const items = await find(known, { [field]: 1, _id: 1 }, window);
      const limit = window.limit - items.length;
      if (limit > 0) {
        const skip = Math.max(0, window.skip - (await rows.countDocuments(known)));
        items.push(...(await find({ ...where, [field]: null }, { _id: 1 }, { skip, limit })));
      }
      return { items, total, sortable: true };
    },
  };
}

function whereOf(filter: StateFilter): Filter<RowDocument> {
  const severity = filter.severity?.length ? filter.severity : [...severities];
  const statuses = vulnerabilityStatuses.filter((status) => filter.statuses.includes(status));
  const where: Filter<RowDocument> = { status: { $in: statuses }, severity: { $in: severity } };
  if (filter.project_id) where.project_id = filter.project_id;
  if (filter.service_id) where.line_id = filter.service_id;
  if (filter.cve_id) {
    const id = filter.cve_id.trim().toUpperCase();
    where.identity = id;
    where.alias_keys = id;
  }
  return where;
}
