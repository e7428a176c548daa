import { severities, type Severity, type vulnerabilitySorts } from '@bomtrail/messages';
import type { Filter } from 'mongodb';
import type { TrackedVulnerabilityDocument } from './documents';
import type { Hidden } from './deletion-store';
import {
  openByAlias,
  openByService,
  walkIndex,
  type IndexKey,
  type SortValue,
} from './list-indexes';

export type SortName = (typeof vulnerabilitySorts)[number];

/** The stored field behind each sort; `epss_score` is known of no row yet, so all of them come last. */
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
 * Listed rows of one service up to which they are sorted in memory, whatever the order: some 50 ms.
 * Those of a larger one are found by a walk through its project in order.
 */
export const vulnerabilitiesSortedInMemory = 50_000;

/**
 * Rows that stand together in a list. Its pages are its stretches one after the other.
 *
 * - `as-stored`: along the index, or sorted in memory, ties by id.
 * - `ties-reversed`: against the index, in which rows of one value stand by id, descending.
 */
export interface KeyRange {
  where: Filter<TrackedVulnerabilityDocument>;
  /** Null: by id alone. */
  value: SortValue | null;
  direction: 1 | -1;
  ties: 'as-stored' | 'ties-reversed';
  index: IndexKey;
  /** The index gives them in order: no row behind the last one that is asked for is looked at. */
  isWalk: boolean;
}

/** How the rows of a filter are found: along an index in order, or by one in which they are named. */
export type Access = 'walk' | 'by-service' | 'by-alias';

/**
 * One service and one id are looked up: their rows are few. Everything else is walked through.
 *
 * @param serviceVulnerabilities the listed rows of the service that is asked for
 * @param sortedInMemory up to so many of them
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
 * The stretches of a list in their order: first what has the value, then what misses it, in either
 * order (docs/rules.md VU7); by severity one stretch each, unknown last.
 *
 * @param scope what the filter asks for beside the severity
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
 * The same over other rows than the listed ones.
 *
 * @param by `indexOf`: the index for a value, in which it descends where the rows are walked through
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
      ...{ ...byId, where: { ...where, severity }, index: indexOf(null) },
    }));
  }
  const index = indexOf(value);
  // MongoDB takes null for less than any value: descending, what is missing is last by itself.
  if (order.order === 'desc') {
    return [{ where, value, direction: -1, ties: 'as-stored', index, isWalk }];
  }
  const ties = isWalk ? 'ties-reversed' : 'as-stored';
  const hasIt = { $gte: leastOf[value] };
  // Of an index over several ids MongoDB reads the row to be sure of a null, but not of what is no value.
  const missesIt = isWalk ? null : { $not: hasIt };
  return [
    { where: { ...where, [value]: hasIt }, value, direction: 1, ties, index, isWalk },
    { ...byId, where: { ...where, [value]: missesIt }, index },
  ];
}

/** The rows of a filter, however they are found and in whatever order. */
export function scopeOf(
  filter: ListFilter,
  access: Access,
  hidden: Hidden,
): Filter<TrackedVulnerabilityDocument> {
  const scope: Filter<TrackedVulnerabilityDocument> = {};
  // The project of a line is known before its rows are looked up.
  if (filter.project_id && access !== 'by-service') scope.project_id = filter.project_id;
  if (filter.service_id) scope.service_id = filter.service_id;
  if (filter.cve_id) scope.alias_keys = filter.cve_id.trim().toUpperCase();
  return filter.service_id ? scope : { ...notHidden(hidden), ...scope };
}

/** The condition that leaves out what is deleted and not purged yet: mostly none. */
export function notHidden({ projects, services }: Hidden): Filter<TrackedVulnerabilityDocument> {
  if (projects.length === 0 && services.length === 0) return {};
  return { $nor: [{ project_id: { $in: projects } }, { service_id: { $in: services } }] };
}

/** Then nothing is read: MongoDB would look at every row that waits to be purged, only to leave it out. */
export function namesHidden({ project_id, service_id }: ListFilter, hidden: Hidden): boolean {
  return (
    (project_id !== undefined && hidden.projects.includes(project_id)) ||
    (service_id !== undefined && hidden.services.includes(service_id))
  );
}

/** The severities that a filter asks for: all when it names none. */
export function severitiesOf(filter: ListFilter): Severity[] {
  return severities.filter(
    (severity) => !filter.severity?.length || filter.severity.includes(severity),
  );
}

/** What no value is less than; a comparison in MongoDB holds for values of one type, so never for null. */
const leastOf: Record<SortValue, string | number | Date> = {
  score_sort: -Infinity,
  cve_id: '',
  package_sort: '',
  first_seen_at: new Date(-8.64e15),
  published_at: new Date(-8.64e15),
};

function bySeverity(wanted: readonly Severity[], { order }: ListOrder): Severity[] {
  // They are declared from critical to none, unknown at the end.
  const known = wanted.filter((severity) => severity !== 'unknown');
  const sorted = order === 'desc' ? known : known.reverse();
  return wanted.includes('unknown') ? [...sorted, 'unknown'] : sorted;
}
