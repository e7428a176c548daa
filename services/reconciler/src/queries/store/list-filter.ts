import { type DueLimits, type ListFilters, severities, type Severity } from '@bomtrail/messages';
import type { Filter } from 'mongodb';
import { literally, packageOfPurl } from '../domain/package-of-purl';
import type { CountedStatus } from '../../tracking/store/count-keys';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { prefixOf } from '../../tracking/domain/selection';
import {
  byAlias,
  byDecision,
  byDetection,
  detailsIndex,
  type IndexKey,
} from '../../tracking/store/list-indexes';

export type ListFilter = ListFilters;

/** A filter with some statuses, at least one. */
export interface StateFilter extends ListFilter {
  statuses: readonly CountedStatus[];
}

/** The severities of a filter; all if it names none. */
export function severitiesOf(filter: Pick<ListFilter, 'severity'>): Severity[] {
  return severities.filter(
    (severity) => !filter.severity?.length || filter.severity.includes(severity),
  );
}

/** The services of a filter; undefined: all. */
export function servicesOf({
  service_id,
  service_ids,
}: Pick<ListFilter, 'service_id' | 'service_ids'>): readonly string[] | undefined {
  return service_ids ?? (service_id === undefined ? undefined : [service_id]);
}

/** The key of an id that a filter names, as `alias_keys` has it. */
export function aliasKeyOf(id: string): string {
  return id.trim().toUpperCase();
}

type Details = Filter<DetailsDocument>;

/** The conditions of a filter on details, without its severities; null without any. */
export function detailsWhereOf(filter: ListFilter): Details | null {
  const all: Details[] = [...textConditions(filter), ...valueConditions(filter)];
  if (all.length === 0) return null;
  return all.length === 1 ? (all[0] as Details) : { $and: all };
}

function textConditions({ cve_id, package_name, purl, ecosystem, q }: ListFilter): Details[] {
  return [
    ...(cve_id ? [{ alias_keys: aliasKeyOf(cve_id) }] : []),
    ...(package_name ? [nameWhere(package_name)] : []),
    ...(purl ? [packageWhere(purl)] : []),
    ...(ecosystem ? [{ ecosystem }] : []),
    ...(q ? wordsOf(q).map(wordWhere) : []),
  ];
}

function valueConditions({ has_fix, kev, min_epss }: ListFilter): Details[] {
  return [
    ...(has_fix === undefined ? [] : [{ has_fix }]),
    ...(kev === undefined ? [] : [{ kev_sort: kev ? { $gt: '' } : null }]),
    ...(min_epss === undefined ? [] : [{ epss_score: { $gte: min_epss } }]),
  ];
}

function nameWhere(packageName: string): Details {
  const prefix = prefixOf(packageName);
  if (prefix === null) return { package_sort: packageName.trim().toLowerCase() };
  return { package_sort: { $regex: `^${literally(prefix)}` } };
}

function packageWhere(purl: string): Details {
  const found = packageOfPurl(purl);
  if (!found) return { _id: { $in: [] } };
  return { ecosystem: found.ecosystem, package_sort: found.name };
}

/** The words of a search text. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** A word may stand anywhere in an id, the package's name or the title, in any case. */
function wordWhere(word: string): Details {
  const pattern = { $regex: literally(word), $options: 'i' };
  return { $or: [{ alias_keys: pattern }, { package_sort: pattern }, { title: pattern }] };
}

/**
 * The index that finds the details of a filter without passing most others; null: none does, and all
 * details of its severities are read.
 */
export function selectiveIndex(filter: ListFilter): IndexKey | null {
  if (filter.cve_id) return byAlias;
  if (filter.package_name || filter.purl) return detailsIndex('package_sort', 1);
  if (filter.kev) return detailsIndex('kev_sort', -1);
  return filter.min_epss === undefined ? null : detailsIndex('epss_score', -1);
}

/** Whether a filter selects few details, whatever its values. */
export function isSelective({ cve_id, package_name, purl, kev }: ListFilter): boolean {
  const isOnePackage = Boolean(package_name) && prefixOf(package_name ?? '') === null;
  return Boolean(cve_id) || isOnePackage || Boolean(purl) || kev === true;
}

/**
 * The index that has what a filter selects by its decision or the time of its detection. Null: the filter names
 * neither, or its details are few, whose entries cost less.
 */
export function foundIndex(filter: ListFilter): IndexKey | null {
  if (isSelective(filter)) return null;
  if (namesDecided(filter)) return byDecision;
  const isTimed = filter.detected_since !== undefined || filter.overdue?.is === true;
  return isTimed ? byDetection : null;
}

/** Whether a filter selects nothing that was not decided about. */
function namesDecided({ decision, has_ticket, assignee }: ListFilter): boolean {
  const isKind = decision !== undefined && !decision.includes('none');
  return isKind || has_ticket === true || assignee !== undefined;
}

/** The conditions of a filter on the vulnerability in its service: the package found, the decision and the time. */
export function foundWhereOf(filter: ListFilter): Filter<TrackedVulnerabilityDocument> {
  const { purl, is_direct } = filter;
  const version = purl === undefined ? null : (packageOfPurl(purl)?.version ?? null);
  return {
    ...(is_direct === undefined ? {} : { 'found.is_direct': is_direct }),
    ...(version === null
      ? {}
      : { $or: [{ 'found.package_version': version }, { 'found.package_versions': version }] }),
    ...decidedWhereOf(filter),
    ...detectionWhereOf(filter),
  };
}

function decidedWhereOf(filter: ListFilter): Filter<TrackedVulnerabilityDocument> {
  const { decision, has_ticket, assignee } = filter;
  // A vulnerability without a decision has no such field, which `null` finds.
  const kinds = decision?.map((one) => (one === 'none' ? null : one));
  return {
    // Follows from the others; the index of decisions holds no others.
    ...(namesDecided(filter) ? { 'decided.decision': { $exists: true } } : {}),
    ...(kinds ? { 'decided.decision': { $in: kinds } } : {}),
    ...(has_ticket === undefined ? {} : { 'decided.ticket_url': { $exists: has_ticket } }),
    ...(assignee === undefined ? {} : { 'decided.assignee': assignee }),
  };
}

/** Whether a filter selects by more than the details and the scope of a vulnerability. */
export function namesFound(filter: ListFilter): boolean {
  return Object.keys(foundWhereOf(filter)).length > 0;
}

/** Whether a filter selects by the time of detection, and by nothing else but scope, status and severity. */
export function namesTimesOnly({ overdue, detected_since, ...others }: ListFilter): boolean {
  const isTimed = detected_since !== undefined || overdue?.is === true;
  return isTimed && overdue?.is !== false && !isNarrow(others);
}

/** Whether a filter selects more than scope, status and severity, of which there are counts. */
export function isNarrow(filter: ListFilter): boolean {
  return detailsWhereOf(filter) !== null || namesFound(filter);
}

type Vulnerabilities = Filter<TrackedVulnerabilityDocument>;
type Times = Pick<ListFilters, 'detected_since' | 'overdue'>;

/** The conditions of a filter on the time of detection; one that is not stored fulfils none. */
function detectionWhereOf({ detected_since, overdue }: Times): Vulnerabilities {
  const all: Vulnerabilities[] = [
    ...(detected_since === undefined ? [] : [{ detected_at: { $gte: new Date(detected_since) } }]),
    ...(overdue ? [overdueWhere(overdue)] : []),
  ];
  return all.length === 0 ? {} : { $and: all };
}

function overdueWhere({ is, limits }: NonNullable<Times['overdue']>): Vulnerabilities {
  const due = limits.flatMap(dueOf);
  if (!is) return due.length === 0 ? {} : { $nor: [{ status: 'open', $or: due.map(whereOf) }] };
  const latest = Math.max(0, ...due.map(({ before }) => before.getTime()));
  const severities = [...new Set(due.map(({ severity }) => severity))];
  // The outer conditions follow from the inner ones: they bound the range of the index that is read.
  return {
    status: 'open',
    severity: { $in: severities },
    detected_at: { $lt: new Date(latest) },
    ...(due.length === 0 ? {} : { $or: due.map(whereOf) }),
  };
}

interface Due {
  severity: Severity;
  before: Date;
  project_ids: string[];
}

function dueOf({ project_ids, detected_before }: DueLimits): Due[] {
  return Object.entries(detected_before).map(([severity, before]) => {
    return { severity: severity as Severity, before: new Date(before), project_ids };
  });
}

function whereOf({ severity, before, project_ids }: Due): Vulnerabilities {
  return { severity, detected_at: { $lt: before }, project_id: { $in: project_ids } };
}
