import { idOf, wordsOf } from '../../app/search-params';
import { severities, type Severity } from '../../components/severity-order';
import { labelOf, ownerOf } from '../projects/projects-search';
import { ecosystems, type Ecosystem } from './ecosystems';

export const statuses = ['open', 'accepted', 'not_affected', 'false_positive', 'fixed'] as const;
/** The filter by status that leaves nothing out. */
export const everyStatus = statuses.join(',');

export const sorts = [
  'risk',
  'cvss_score',
  'epss_score',
  'kev',
  'first_seen_at',
  'published_at',
  'package_name',
  'cve_id',
] as const;

export const groupings = ['vulnerability', 'package', 'service', 'project'] as const;

/** What may be decided about an open finding. */
export const triageStates = ['in_triage', 'none'] as const;

export type Status = (typeof statuses)[number];
export type TriageState = (typeof triageStates)[number];
export type Grouping = (typeof groupings)[number];
export type Sort = (typeof sorts)[number];

/** The search parameters of `/findings`: a view is an address. What is left out is the default. */
export interface FindingsSearch {
  status?: string;
  severity?: string;
  project_id?: string;
  service_id?: string;
  cve_id?: string;
  /** Words in an id, the package name or the title. */
  q?: string;
  package_name?: string;
  purl?: string;
  ecosystem?: Ecosystem;
  kev?: 'true' | 'false';
  has_fix?: 'true' | 'false';
  is_direct?: 'true' | 'false';
  /** A share of 0 to 1. */
  min_epss?: string;
  decision?: TriageState;
  overdue?: 'true' | 'false';
  /** A day (UTC), `YYYY-MM-DD`. */
  detected_since?: string;
  owner?: string;
  has_owner?: 'true' | 'false';
  /** Comma-separated; one suffices. */
  label?: string;
  group?: Grouping;
  sort?: Sort;
  order?: 'asc' | 'desc';
  /** The finding whose panel is open. */
  finding?: string;
}

const flagWords = ['true', 'false'] as const;

/** Takes what is valid; anything else in an address counts as left out. */
export function parseFindingsSearch(search: Record<string, unknown>): FindingsSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const only = <T extends string>(name: string, allowed: readonly T[]) =>
    allowed.find((one) => one === text(name));
  const sort = sorts.find((one) => one === text('sort'));
  return withoutEmpty({
    status: wordsOf(text('status'), statuses).join(','),
    severity: wordsOf(text('severity'), severities).join(','),
    project_id: idOf(search['project_id']),
    service_id: idOf(search['service_id']),
    cve_id: text('cve_id')?.slice(0, 200),
    q: text('q')?.slice(0, 200),
    package_name: text('package_name')?.slice(0, 2048),
    purl: text('purl')?.slice(0, 2048),
    ecosystem: only('ecosystem', ecosystems),
    kev: only('kev', flagWords),
    has_fix: only('has_fix', flagWords),
    is_direct: only('is_direct', flagWords),
    min_epss: shareOf(text('min_epss')),
    decision: only('decision', triageStates),
    overdue: only('overdue', flagWords),
    detected_since: dayOf(text('detected_since')),
    ...ownerOf(search['owner']),
    has_owner: only('has_owner', flagWords),
    ...labelOf(search['label']),
    group: only('group', groupings),
    sort,
    order: text('order') === 'asc' ? 'asc' : undefined,
    finding: idOf(search['finding']),
  });
}

/** What narrows a view beside severity, status and order; the summary takes the same. */
export function filtersOf(search: FindingsSearch) {
  const flag = (word: string | undefined) => (word === undefined ? undefined : word === 'true');
  return withoutEmpty({
    project_id: search.project_id,
    service_id: search.service_id,
    cve_id: search.cve_id,
    q: search.q,
    package_name: search.package_name,
    purl: search.purl,
    ecosystem: search.ecosystem,
    kev: flag(search.kev),
    has_fix: flag(search.has_fix),
    is_direct: flag(search.is_direct),
    min_epss: search.min_epss === undefined ? undefined : Number(search.min_epss),
    decision: search.decision,
    overdue: flag(search.overdue),
    detected_since: search.detected_since && `${search.detected_since}T00:00:00Z`,
    owner: search.owner,
    has_owner: flag(search.has_owner),
    label: search.label,
  });
}

/** A share of 0 to 1 that is worth a filter: 0 selects nothing. */
function shareOf(given: string | undefined): string | undefined {
  const share = Number(given);
  return given !== undefined && share > 0 && share <= 1 ? String(share) : undefined;
}

function dayOf(given: string | undefined): string | undefined {
  if (given === undefined || !/^\d{4}-\d\d-\d\d$/.test(given)) return undefined;
  const time = Date.parse(given);
  // Some days that do not exist are read as the next one.
  return new Date(time || 0).toISOString().startsWith(given) ? given : undefined;
}

/** The query of the API for a view; the open panel is no part of it. */
export function queryOf(search: FindingsSearch) {
  return withoutEmpty({
    ...filtersOf(search),
    status: search.status ?? 'open',
    severity: search.severity,
    sort: search.sort ?? 'risk',
    order: search.order ?? 'desc',
  });
}

/** The query for groups: they have an order of their own. */
export function groupQueryOf(search: FindingsSearch, group: Grouping) {
  return withoutEmpty({
    ...filtersOf(search),
    group_by: group,
    status: search.status ?? 'open',
    severity: search.severity,
  });
}

/** Whether anything is filtered, so that clearing would show more. */
export function isNarrowed(search: FindingsSearch): boolean {
  return Object.entries(search).some(
    ([name, value]) => value !== undefined && !['sort', 'order', 'group', 'finding'].includes(name),
  );
}

/** The severities that a view is narrowed to; empty: all. */
export function chosenSeverities(search: FindingsSearch): Severity[] {
  return wordsOf(search.severity, severities);
}

/** The list with one word more, or without it. */
export function toggled<T extends string>(chosen: readonly T[], word: T): string {
  return (chosen.includes(word) ? chosen.filter((one) => one !== word) : [...chosen, word]).join(
    ',',
  );
}

/** A click on the heading of the sorted column turns the order round; on another one sorts by it. */
export function sortedBy(search: FindingsSearch, sort: Sort): FindingsSearch {
  const isCurrent = (search.sort ?? 'risk') === sort;
  const wasAscending = search.order === 'asc';
  const natural = sort === 'package_name' || sort === 'cve_id' ? 'asc' : undefined;
  const order = isCurrent ? (wasAscending ? undefined : 'asc') : natural;
  return withoutEmpty({ ...search, sort: sort === 'risk' ? undefined : sort, order });
}

function withoutEmpty<T extends object>(given: T): T {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== ''),
  ) as T;
}
