import type { vulnerabilitySorts } from '@bomtrail/messages';
import { isSelective, servicesOf, type StateFilter } from './list-filter';
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

/** Numbers of vulnerabilities that decide how a list is read. */
export interface ListLimits {
  /**
   * Up to this many are sorted in memory (about half a second). A larger service is read by a walk in which
   * vulnerabilities of other services are skipped.
   */
  sortedInMemory: number;
  /** A walk past so many is short: about 200 ms where each is read. */
  shortWalk: number;
}

export const listLimits: ListLimits = { sortedInMemory: 50_000, shortWalk: 10_000 };

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
  if (servicesOf(filter) && isFew) return 'in-memory';
  if (sort === 'first_seen_at') return 'along-first-seen';
  if (!isFew) return 'along-details';
  const entries = size.window.skip + size.window.limit;
  const walk = lookupsOf(size) * costOfLookup + entries * costOfEntry;
  return size.total * costOfSorted < walk ? 'in-memory' : 'along-details';
}

/** The number of details that a walk passes up to the end of a page, if all are equally frequent. */
export function lookupsOf(size: { total: number; details: number; window: Window }): number {
  const entries = size.window.skip + size.window.limit;
  return Math.ceil(Math.min(1, entries / Math.max(1, size.total)) * size.details);
}

/** The order by first sight; ties follow it, too. */
export function firstSeenOrder(order: ListOrder): Record<'first_seen_at' | '_id', SortDirection> {
  const direction = directionOf(order);
  return { first_seen_at: direction, _id: direction === 1 ? -1 : 1 };
}

export function directionOf({ order }: ListOrder): SortDirection {
  return order === 'asc' ? 1 : -1;
}

/** Up to this many vulnerabilities of a project are filtered in memory; reading them takes about 60 ms. */
const filteredInMemory = 3_000;

/**
 * Whether a filter by more than scope, status and severity is applied to all vulnerabilities of its scope in
 * memory, which needs no other details than theirs.
 *
 * @param size `inScope`: the vulnerabilities in the scope with these statuses and severities
 */
export function isFilteredInMemory(
  filter: StateFilter,
  size: { inScope: number; sortedInMemory: number },
): boolean {
  if (servicesOf(filter)) return size.inScope <= size.sortedInMemory;
  if (!filter.project_id || isSelective(filter)) return false;
  return size.inScope <= Math.min(filteredInMemory, size.sortedInMemory);
}

/** Milliseconds of an index seek, and of reading one vulnerability of a scope; measured. */
const costOfSeek = 0.008;
const costOfRead = 0.004;

/** Whether counting by details reads the vulnerabilities of the scope, or seeks each of the details. */
export function countsByScope(
  filter: StateFilter,
  size: { inScope: number; details: number },
): boolean {
  if (servicesOf(filter)) return true;
  return Boolean(filter.project_id) && size.inScope * costOfRead < size.details * costOfSeek;
}
