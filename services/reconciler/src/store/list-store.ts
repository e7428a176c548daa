import type { IndexPlan } from '@bomtrail/service-kit';
import { severities, type Severity, type vulnerabilitySorts } from '@bomtrail/messages';
import type { Db, Filter } from 'mongodb';
import type { RowDocument } from './documents';
import type { ForgetStore, Hidden } from './forget-store';

export const listIndexes: IndexPlan = {
  tracked_vulnerabilities: [
    { key: { score_sort: -1, _id: 1 }, partialFilterExpression: { listed: true } },
    { key: { project_id: 1, score_sort: -1, _id: 1 }, partialFilterExpression: { listed: true } },
  ],
};

/** The states of what is in the newest scanned SBOM. */
const present = ['open', 'accepted'] as const;
type PresentRow = RowDocument & { status: (typeof present)[number] };

type SortName = (typeof vulnerabilitySorts)[number];

/** The stored field behind each sort; `epss_score` is known of no row yet, so all of them come last. */
export const sortFields: Record<SortName, keyof RowDocument | null> = {
  cvss_score: 'score_sort',
  severity: 'severity_rank',
  cve_id: 'cve_id',
  package_name: 'package_sort',
  first_seen_at: 'first_seen_at',
  published_at: 'published_at',
  epss_score: null,
};

export interface ListFilter {
  project_id?: string | undefined;
  service_id?: string | undefined;
  severity?: Severity[] | undefined;
  cve_id?: string | undefined;
}

export interface ListOrder {
  sort: SortName;
  order: 'asc' | 'desc';
}

export type ListStore = ReturnType<typeof createListStore>;

/** The active list: rows that are open and not accepted, of projects and services that are not deleted. */
export function createListStore(db: Db, forgotten: Pick<ForgetStore, 'hidden'>) {
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');

  return {
    /** Missing values come last in either order, so they are a second stretch behind the sorted one. */
    async page(filter: ListFilter, order: ListOrder, window: { skip: number; limit: number }) {
      const hidden = await forgotten.hidden();
      if (asksForHidden(filter, hidden)) return { items: [], total: 0 };
      const where = whereOf(filter, hidden);
      const field = sortFields[order.sort];
      const total = await rows.countDocuments(where);
      if (field === null) {
        const items = await rows
          .find(where)
          .sort({ _id: 1 })
          .skip(window.skip)
          .limit(window.limit)
          .toArray();
        return { items, total };
      }
      const direction = order.order === 'asc' ? 1 : -1;
      const present = { ...where, [field]: { $ne: null } };
      const items = await rows
        .find(present)
        .sort({ [field]: direction, _id: 1 })
        .allowDiskUse(true)
        .skip(window.skip)
        .limit(window.limit)
        .toArray();
      const left = window.limit - items.length;
      if (left > 0) {
        const skip = Math.max(0, window.skip - (await rows.countDocuments(present)));
        const missing = rows.find({ ...where, [field]: null }).sort({ _id: 1 });
        items.push(...(await missing.skip(skip).limit(left).toArray()));
      }
      return { items, total };
    },

    /** Rows of the newest scanned SBOMs that stand for an id, by project, then by age. */
    async affected(
      filter: { identity: string; project_id?: string | undefined },
      window: { skip: number; limit: number },
    ) {
      const hidden = await forgotten.hidden();
      if (asksForHidden(filter, hidden)) return { items: [], total: 0 };
      const where: Filter<RowDocument> = {
        ...notHidden(hidden),
        identity: filter.identity,
        status: { $in: [...present] },
        ...(filter.project_id ? { project_id: filter.project_id } : {}),
      };
      const [items, total] = await Promise.all([
        rows
          .find(where)
          .sort({ project_id: 1, _id: 1 })
          .allowDiskUse(true)
          .skip(window.skip)
          .limit(window.limit)
          .toArray(),
        rows.countDocuments(where),
      ]);
      return { items: items as PresentRow[], total };
    },

    async countBySeverity(filter: ListFilter): Promise<Record<Severity | 'total', number>> {
      const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, total: 0 };
      const hidden = await forgotten.hidden();
      if (asksForHidden(filter, hidden)) return counts;
      const where = whereOf(filter, hidden);
      const groups = rows.aggregate<{ _id: Severity; count: number }>([
        { $match: where },
        { $group: { _id: '$severity', count: { $sum: 1 } } },
      ]);
      for await (const { _id, count } of groups) {
        if (severities.includes(_id)) counts[_id] += count;
        counts.total += count;
      }
      return counts;
    },
  };
}

/** Then nothing is read: MongoDB would look at every row that waits to be purged, only to leave it out. */
export function asksForHidden({ project_id, service_id }: ListFilter, hidden: Hidden): boolean {
  return (
    (project_id !== undefined && hidden.projects.includes(project_id)) ||
    (service_id !== undefined && hidden.lines.includes(service_id))
  );
}

export function notHidden({ projects, lines }: Hidden): Filter<RowDocument> {
  if (projects.length === 0 && lines.length === 0) return {};
  return { $nor: [{ project_id: { $in: projects } }, { line_id: { $in: lines } }] };
}

function whereOf(filter: ListFilter, hidden: Hidden): Filter<RowDocument> {
  const where: Filter<RowDocument> = { ...notHidden(hidden), listed: true };
  if (filter.project_id) where.project_id = filter.project_id;
  if (filter.service_id) where.line_id = filter.service_id;
  if (filter.severity?.length) where.severity = { $in: filter.severity };
  if (filter.cve_id) {
    const id = filter.cve_id.trim().toUpperCase();
    where.identity = id;
    where.alias_keys = id;
  }
  return where;
}
