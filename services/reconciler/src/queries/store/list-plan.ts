import { severities, type Severity, type vulnerabilitySorts } from '@bomtrail/messages';
import type { Filter } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import type { Hidden } from '../../deletion/store/deletion-store';
import type { CountedStatus } from '../../tracking/store/count-keys';
import type { SortDirection, SortValue } from '../../tracking/store/list-indexes';

export type SortName = (typeof vulnerabilitySorts)[number];

/** The stored value of each sort: one of the details, or of the vulnerability itself. */
export const sortFields: Record<SortName, SortValue | 'first_seen_at'> = {
  cvss_score: 'score_sort',
  severity: 'severity_rank',
  cve_id: 'cve_id',
  package_name: 'package_sort',
  first_seen_at: 'first_seen_at',
  published_at: 'published_sort',
  epss_score: 'epss_score',
  epss_percentile: 'epss_score',
  kev: 'kev_sort',
  risk: 'risk',
};

export interface ListFilter {
  project_id?: string | undefined;
  service_id?: string | undefined;
  severity?: Severity[] | undefined;
  cve_id?: string | undefined;
}

/** The same for some statuses, at least one. */
export interface StateFilter extends ListFilter {
  statuses: readonly CountedStatus[];
}

export interface ListOrder {
  sort: SortName;
  order: 'asc' | 'desc';
}

export interface Window {
  skip: number;
  limit: number;
}

/**
 * How a page is read.
 *
 * - `along-details`: walks the details in order and looks up the vulnerabilities of each.
 * - `along-first-seen`: walks an index of the vulnerabilities.
 * - `in-memory`: reads the sort values of all matching vulnerabilities and sorts them.
 *
 * All read the same order.
 */
export type Plan = 'along-details' | 'along-first-seen' | 'in-memory';

/**
 * Up to this many vulnerabilities are sorted in memory (about half a second). A larger service is read by a
 * walk in which vulnerabilities of other services are skipped.
 */
export const sortedInMemory = 50_000;

/** Milliseconds, measured: docs/performance.md. */
const costOfLookup = 0.028;
const costOfEntry = 0.004;
const costOfSorted = 0.022;

/**
 * Chooses the plan by what is known about the size of a list.
 *
 * @param size `total`: matching vulnerabilities; `details`: details in the walk
 */
export function planOf(
  filter: StateFilter,
  { sort }: ListOrder,
  size: { total: number; details: number; window: Window; sortedInMemory: number },
): Plan {
  const isFew = size.total <= size.sortedInMemory;
  if (filter.service_id && isFew) return 'in-memory';
  if (sort === 'first_seen_at') return 'along-first-seen';
  if (!isFew || filter.cve_id) return 'along-details';
  const entries = size.window.skip + size.window.limit;
  const walk = lookupsOf(size) * costOfLookup + entries * costOfEntry;
  return size.total * costOfSorted < walk ? 'in-memory' : 'along-details';
}

/** The number of details that a walk passes up to the end of a page, if all are equally frequent. */
export function lookupsOf(size: { total: number; details: number; window: Window }): number {
  const entries = size.window.skip + size.window.limit;
  return Math.ceil(Math.min(1, entries / Math.max(1, size.total)) * size.details);
}

export function directionOf({ order }: ListOrder): SortDirection {
  return order === 'asc' ? 1 : -1;
}

/** The conditions on a vulnerability, without those on its details. */
export function whereOf(filter: StateFilter, hidden: Hidden): Filter<TrackedVulnerabilityDocument> {
  return {
    status: { $in: [...filter.statuses] },
    ...(filter.project_id ? { project_id: filter.project_id } : {}),
    ...(filter.service_id ? { service_id: filter.service_id } : notHidden(hidden)),
  };
}

/** The key of an id that a filter names, as `alias_keys` has it. */
export function aliasKeyOf(id: string): string {
  return id.trim().toUpperCase();
}

/** Excludes what is deleted but not purged yet; usually empty. */
export function notHidden({ projects, services }: Hidden): Filter<TrackedVulnerabilityDocument> {
  if (projects.length === 0 && services.length === 0) return {};
  return { $nor: [{ project_id: { $in: projects } }, { service_id: { $in: services } }] };
}

/**
 * Whether a filter names a deleted project or service. Then nothing is read: MongoDB would scan every entry
 * that waits to be purged.
 */
export function namesHidden(
  { project_id, service_id }: Pick<ListFilter, 'project_id' | 'service_id'>,
  hidden: Hidden,
): boolean {
  return (
    (project_id !== undefined && hidden.projects.includes(project_id)) ||
    (service_id !== undefined && hidden.services.includes(service_id))
  );
}

/** The severities of a filter; all if it names none. */
export function severitiesOf(filter: Pick<ListFilter, 'severity'>): Severity[] {
  return severities.filter(
    (severity) => !filter.severity?.length || filter.severity.includes(severity),
  );
}
