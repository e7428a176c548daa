import { severities, type Severity, type vulnerabilitySorts } from '@bomtrail/messages';
import type { Filter } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import type { Hidden } from '../../deletion/store/deletion-store';
import {
  openByAlias,
  openByService,
  walkIndex,
  type IndexKey,
  type SortValue,
} from '../../tracking/store/list-indexes';

export type SortName = (typeof vulnerabilitySorts)[number];

/** The stored field of each sort. `epss_score` is not known yet, so all values count as missing. */
export const sortFields: Record<SortName, SortValue | 'severity_rank' | null> = {
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

/**
 * Up to this many open vulnerabilities of a service are sorted in memory (about 50 ms). Larger services are
 * read by a walk along the index of their project.
 */
export const vulnerabilitiesSortedInMemory = 50_000;

/**
 * A range of an index. The pages of a list run through its ranges one after the other.
 *
 * - `as-stored`: along the index or sorted in memory; ties by id.
 * - `ties-reversed`: against the index, where ties are by descending id.
 */
export interface KeyRange {
  where: Filter<TrackedVulnerabilityDocument>;
  /** Null: sorted by id only. */
  value: SortValue | null;
  direction: 1 | -1;
  ties: 'as-stored' | 'ties-reversed';
  index: IndexKey;
  /** The index provides the order, so nothing beyond the page is read. */
  isWalk: boolean;
}

/** How vulnerabilities are found: by a walk along an index in order, or by a lookup. */
export type Access = 'walk' | 'by-service' | 'by-alias';

/**
 * Chooses the access path: a lookup for one service or one id, a walk for everything else.
 *
 * @param serviceVulnerabilities number of open vulnerabilities of the requested service
 * @param sortedInMemory the maximum number for a lookup by service
 */
export function accessOf(
  filter: ListFilter,
  {
    serviceVulnerabilities,
    sortedInMemory,
  }: { serviceVulnerabilities: number; sortedInMemory: number },
): Access {
  if (filter.service_id && serviceVulnerabilities <= sortedInMemory) return 'by-service';
  return filter.cve_id ? 'by-alias' : 'walk';
}

/**
 * The ranges of a list in order: entries with a value first, then those without, in either direction
 * (docs/rules.md VU7). By severity: one range each, unknown last.
 *
 * @param scope the filter without the severity
 */
export function rangesOf(
  filter: ListFilter,
  order: ListOrder,
  { access, scope }: { access: Access; scope: Filter<TrackedVulnerabilityDocument> },
): KeyRange[] {
  const where = { open: true, severity: { $in: severitiesOf(filter) }, ...scope };
  const indexOf = (of: SortValue | null): IndexKey => {
    if (access === 'by-service') return openByService;
    if (access === 'by-alias') return openByAlias;
    return walkIndex(filter.project_id ? 'project' : 'all', of);
  };
  return rangesOver(filter, order, { where, indexOf, isWalk: access === 'walk' });
}

/**
 * The same over other entries than the open ones.
 *
 * @param by `indexOf`: the index for a value; descending in it if the entries are walked
 */
export function rangesOver(
  filter: Pick<ListFilter, 'severity'>,
  order: ListOrder,
  by: {
    where: Filter<TrackedVulnerabilityDocument>;
    indexOf: (value: SortValue | null) => IndexKey;
    isWalk: boolean;
  },
): KeyRange[] {
  const { where, indexOf, isWalk } = by;
  const value = sortFields[order.sort];
  const byId = { value: null, direction: 1, ties: 'as-stored', isWalk } as const;
  if (value === null) return [{ ...byId, where, index: indexOf(null) }];
  if (value === 'severity_rank') {
    return bySeverity(severitiesOf(filter), order).map((severity) => ({
      ...byId,
      where: { ...where, severity },
      index: indexOf(null),
    }));
  }
  const index = indexOf(value);
  // MongoDB sorts null below any value, so descending order puts missing values last.
  if (order.order === 'desc') {
    return [{ where, value, direction: -1, ties: 'as-stored', index, isWalk }];
  }
  const ties = isWalk ? 'ties-reversed' : 'as-stored';
  const hasIt = { $gte: leastOf[value] };
  // With a multikey index, MongoDB would read the document to verify a null, but not for a negated range.
  const missesIt = isWalk ? null : { $not: hasIt };
  return [
    { where: { ...where, [value]: hasIt }, value, direction: 1, ties, index, isWalk },
    { ...byId, where: { ...where, [value]: missesIt }, index },
  ];
}

/** The scope of a filter, independent of order. */
export function scopeOf(
  filter: ListFilter,
  access: Access,
  hidden: Hidden,
): Filter<TrackedVulnerabilityDocument> {
  const scope: Filter<TrackedVulnerabilityDocument> = {};
  // A service's project was verified before.
  if (filter.project_id && access !== 'by-service') scope.project_id = filter.project_id;
  if (filter.service_id) scope.service_id = filter.service_id;
  if (filter.cve_id) scope.alias_keys = filter.cve_id.trim().toUpperCase();
  return filter.service_id ? scope : { ...notHidden(hidden), ...scope };
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
export function namesHidden({ project_id, service_id }: ListFilter, hidden: Hidden): boolean {
  return (
    (project_id !== undefined && hidden.projects.includes(project_id)) ||
    (service_id !== undefined && hidden.services.includes(service_id))
  );
}

/** The severities of a filter; all if it names none. */
export function severitiesOf(filter: ListFilter): Severity[] {
  return severities.filter(
    (severity) => !filter.severity?.length || filter.severity.includes(severity),
  );
}

/** A lower bound of all values. MongoDB compares within one type only, so null never matches. */
const leastOf: Record<SortValue, string | number | Date> = {
  score_sort: -Infinity,
  cve_id: '',
  package_sort: '',
  first_seen_at: new Date(-8.64e15),
  published_at: new Date(-8.64e15),
};

function bySeverity(wanted: readonly Severity[], { order }: ListOrder): Severity[] {
  // Declared from critical to none, with unknown at the end.
  const known = wanted.filter((severity) => severity !== 'unknown');
  const sorted = order === 'desc' ? known : known.reverse();
  return wanted.includes('unknown') ? [...sorted, 'unknown'] : sorted;
}
