import type { IndexPlan } from '@bomtrail/service-kit';
import type { IndexDescription } from 'mongodb';

/** The stored fields that lists sort by; what has none has null there. */
export const sortValues = [
  'score_sort',
  'cve_id',
  'package_sort',
  'first_seen_at',
  'published_at',
] as const;
export type SortValue = (typeof sortValues)[number];

/** Of which rows a walk along an index is in order: all that are listed, or those of a project. */
export type Walk = 'all' | 'project';

/** The keys of an index, in order. */
export type IndexKey = Record<string, 1 | -1>;

/**
 * `open` is a key too, so that the index alone answers; severity stands before the value, so that
 * MongoDB merges the stretches of those that are asked for, one or all. Values descend: what is
 * missing is behind them in the order that most ask for.
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

/** All that lists sort by, so that an index alone answers for a sort in memory. */
export const everyValue: IndexKey = {
  severity: 1,
  score_sort: 1,
  cve_id: 1,
  package_sort: 1,
  first_seen_at: 1,
  published_at: 1,
};

/** The rows of one line with all that they are sorted by: they are few, and sorted in memory. */
export const openByService: IndexKey = { open: 1, service_id: 1, ...everyValue, _id: 1 };

/** The same of one id, with the scopes beside it. */
export const openByAlias: IndexKey = {
  ...{ open: 1, alias_keys: 1, project_id: 1, service_id: 1 },
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
