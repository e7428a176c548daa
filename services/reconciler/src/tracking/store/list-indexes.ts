import type { IndexPlan } from '@bomtrail/mongo';
import type { IndexDescription } from 'mongodb';
import type { MissingValue, SortValues } from './documents';

/** The keys of an index, in order. */
export type IndexKey = Record<string, 1 | -1>;

/** The values of details that lists sort by. */
export type SortValue = Exclude<keyof SortValues, 'missing'>;
export type SortDirection = 1 | -1;

const missingValues: readonly string[] = [
  'score_sort',
  'severity_rank',
  'published_sort',
  'epss_score',
  'kev_sort',
  'risk',
] satisfies MissingValue[];

/** The vulnerabilities of a service. */
export const byService: IndexKey = { service_id: 1, package_key: 1 };

/**
 * The vulnerabilities of details, in the order in which lists show those that sort alike. Status and project
 * precede it, and the end of an entry has what a filter counts by, so that lists read entries of the index
 * alone.
 */
export const byDetails: IndexKey = {
  details_id: 1,
  status: 1,
  project_id: 1,
  first_seen_at: 1,
  _id: 1,
  'found.is_direct': 1,
};

/** Status and severity precede the time, so that MongoDB merges the ranges of the requested ones. */
export const byFirstSeen: IndexKey = { status: 1, severity: 1, first_seen_at: -1, _id: 1 };
export const byProject: IndexKey = { project_id: 1, ...byFirstSeen };

/**
 * What was detected when, for the filters by it. An entry has what these count and sort by, so that they read it
 * alone: ADR 0120.
 */
export const byDetection: IndexKey = {
  status: 1,
  severity: 1,
  detected_at: 1,
  project_id: 1,
  details_id: 1,
  first_seen_at: 1,
};

/** What was decided about, for the filters by it; few vulnerabilities are. */
export const byDecision: IndexKey = { 'decided.decision': 1, status: 1, project_id: 1 };

/** Former ids of vulnerabilities; few have any. */
export const byFormerId: IndexKey = { former_ids: 1, project_id: 1 };

/** Details by the ids that they name. */
export const byAlias: IndexKey = { alias_keys: 1 };

/** The order of details in a list: missing values last in both directions, ties by id. */
export function detailsOrder(value: SortValue, direction: SortDirection): IndexKey {
  const isLastAnyway = direction === -1 || !missingValues.includes(value);
  return { ...(isLastAnyway ? {} : { [`missing.${value}`]: 1 }), [value]: direction, _id: 1 };
}

/**
 * The index for an order of details. A filter by severity has one range for each severity, which MongoDB
 * merges; in the order of severities they follow each other.
 */
export function detailsIndex(value: SortValue, direction: SortDirection): IndexKey {
  const prefix: IndexKey = value === 'severity_rank' ? {} : { severity: 1 };
  return { has_open: 1, ...prefix, ...detailsOrder(value, direction) };
}

const sortValues: readonly SortValue[] = [
  'score_sort',
  'severity_rank',
  'cve_id',
  'package_sort',
  'published_sort',
  'epss_score',
  'kev_sort',
  'risk',
];

/**
 * Lists sort by values of the details, of which there are few: all indexes of sort values are there. A
 * vulnerability itself has six index entries.
 */
export const listIndexes: IndexPlan = {
  tracked_vulnerabilities: [
    {
      key: byDetails,
      name: 'details',
      partialFilterExpression: { details_id: { $exists: true } },
    },
    { key: byService, name: 'service_and_package' },
    { key: byFirstSeen, name: 'first_seen' },
    { key: byProject, name: 'project' },
    {
      key: byDetection,
      name: 'detection_and_first_seen',
      partialFilterExpression: { detected_at: { $exists: true } },
    },
    {
      key: byDecision,
      name: 'decision',
      partialFilterExpression: { 'decided.decision': { $exists: true } },
    },
    {
      key: byFormerId,
      name: 'former_ids',
      partialFilterExpression: { former_ids: { $exists: true } },
    },
  ],
  vulnerability_details: [
    { key: byAlias },
    {
      key: { risk_pending: 1 },
      name: 'risk_pending',
      partialFilterExpression: { risk_pending: true },
    },
    ...sortValues.flatMap((value) =>
      ([1, -1] as const).map((direction): IndexDescription => ({
        key: detailsIndex(value, direction),
        name: `${value}_${direction === 1 ? 'ascending' : 'descending'}`,
      })),
    ),
  ],
};
