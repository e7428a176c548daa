import type { IndexPlan } from '@bomtrail/mongo';
import type { IndexDescription } from 'mongodb';

/** The stored fields that lists sort by; null if missing. */
export const sortValues = [
  'score_sort',
  'cve_id',
  'package_sort',
  'first_seen_at',
  'published_at',
] as const;
export type SortValue = (typeof sortValues)[number];

/** The scope of an index walk: all open vulnerabilities, or those of a project. */
export type Walk = 'all' | 'project';

/** The keys of an index, in order. */
export type IndexKey = Record<string, 1 | -1>;

/**
 * `open` is part of the key so that the query is covered by the index. Severity precedes the value, so that
 * MongoDB merges the ranges of the requested severities. Values descend: in the most frequent order, missing
 * values are last.
 */
export function walkIndex(walk: Walk, value: SortValue | null): IndexKey {
  return {
    open: 1,
    ...(walk === 'project' ? { project_id: 1 as const } : {}),
    severity: 1,
    ...(value === null ? {} : { [value]: -1 as const }),
    _id: 1,
  };
}

/** All sort values, so that an index alone suffices for a sort in memory. */
export const everyValue: IndexKey = {
  severity: 1,
  score_sort: 1,
  cve_id: 1,
  package_sort: 1,
  first_seen_at: 1,
  published_at: 1,
};

/** The open vulnerabilities of a service with all sort values; few, and sorted in memory. */
export const openByService: IndexKey = { open: 1, service_id: 1, ...everyValue, _id: 1 };

/** The open vulnerabilities with an alias, with project and service. */
export const openByAlias: IndexKey = {
  open: 1,
  alias_keys: 1,
  project_id: 1,
  service_id: 1,
  ...everyValue,
  _id: 1,
};

export const listIndexes: IndexPlan = {
  tracked_vulnerabilities: [
    ...(['all', 'project'] as const).flatMap((walk) =>
      [null, ...sortValues].map((value) => ofOpen(walkIndex(walk, value), `${walk}_${value}`)),
    ),
    ofOpen(openByService, 'service'),
    ofOpen(openByAlias, 'alias'),
  ],
};

function ofOpen(key: IndexKey, name: string): IndexDescription {
  return { key, name: `open_${name}`, partialFilterExpression: { open: true } };
}
