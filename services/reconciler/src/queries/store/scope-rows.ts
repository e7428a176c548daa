import { oneOrSeveral } from '@bomtrail/mongo';
import type { Grouping, Severity } from '@bomtrail/messages';
import type { ClientSession, Db } from 'mongodb';
import { countKey, type StatusCounts } from '../../tracking/store/count-keys';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { byDetails, byProject, byService } from '../../tracking/store/list-indexes';
import { inScopeOf, type FilteredCounts } from './filtered-counts';
import { isWhole, type FilteredQuery } from './list-scopes';
import { aggregateInTime } from './in-time';
import { detailsWhereOf, isNarrow, severitiesOf, foundIndex } from './list-filter';
import { countsByScope } from './list-plan';
import { whereOf } from './list-where';
import type { SelectedDetails } from './matching-details';

export type ScopeQuery = FilteredQuery & { group_by: Grouping };

/** The vulnerabilities of one severity in a service or project. A negative count is subtracted. */
export interface CountRow {
  _id: { key: string; project_id: string; severity: Severity };
  count: number;
}

/**
 * Counts what a filter selects by service or project: from the counters of the services, from the
 * vulnerabilities themselves, or as the difference of both.
 */
export function createScopeRows(
  db: Db,
  counts: FilteredCounts,
): (query: ScopeQuery, session: ClientSession) => Promise<CountRow[]> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = db.collection<ServiceStateDocument>('service_states');

  /** From the counters of the services. */
  async function counted(
    { filter, selection, group_by }: ScopeQuery,
    session: ClientSession,
  ): Promise<CountRow[]> {
    const { hidden, project_id, services } = selection;
    const where = {
      deletion_state: { $exists: false },
      counts: { $exists: true },
      ...(services ? { _id: { $in: [...services] } } : {}),
      project_id: project_id === undefined ? { $nin: hidden.projects } : oneOrSeveral(project_id),
    };
    const key = group_by === 'service' ? '$_id' : '$project_id';
    const named = severitiesOf(filter);
    const keysOf = (severity: Severity) => filter.statuses.map((one) => countKey(one, severity));
    const sums = named.flatMap(keysOf).map((one) => [one, { $sum: `$counts.${one}` }] as const);
    const found = await states
      .aggregate<StatusCounts & { _id: string; project_id: string }>(
        [
          { $match: where },
          {
            $group: {
              _id: key,
              project_id: { $first: '$project_id' },
              ...Object.fromEntries(sums),
            },
          },
        ],
        { session, batchSize: 10_000 },
      )
      .toArray();
    return found.flatMap(({ _id, project_id: project, ...of }) =>
      named.map((severity): CountRow => {
        const count = keysOf(severity).reduce((sum, one) => sum + (of[one] ?? 0), 0);
        return { _id: { key: _id, project_id: project, severity }, count };
      }),
    );
  }

  /** The vulnerabilities with some details, or with any (null), from the vulnerabilities themselves. */
  async function read(
    { filter, selection, group_by }: ScopeQuery,
    of: readonly SelectedDetails[] | null,
    session: ClientSession,
  ): Promise<CountRow[]> {
    if (of?.length === 0) return [];
    const size = { inScope: inScopeOf({ filter, selection }), details: of?.length ?? Infinity };
    const isByScope = countsByScope({ ...filter, project_id: selection.project_id }, size);
    const scopeIndex = selection.services ? byService : byProject;
    const match = {
      ...whereOf(filter, selection),
      severity: { $in: severitiesOf(filter) },
      details_id: of ? { $in: of.map(({ _id }) => _id) } : { $gt: '' },
    };
    const key = group_by === 'service' ? '$service_id' : '$project_id';
    const group = { _id: { key, project_id: '$project_id', severity: '$severity' } };
    const pipeline = [{ $match: match }, { $group: { ...group, count: { $sum: 1 } } }];
    const hint = isByScope ? scopeIndex : (foundIndex(filter) ?? byDetails);
    return aggregateInTime(vulnerabilities, pipeline, { session, hint });
  }

  /**
   * The same by project and severity of the details, of which the index by details has all. Of several severities
   * each is counted by itself, or the documents would be read.
   */
  async function readByProject(
    { filter, selection }: ScopeQuery,
    of: readonly SelectedDetails[],
    session: ClientSession,
  ): Promise<CountRow[]> {
    const rows: CountRow[] = [];
    for (const severity of severitiesOf(filter)) {
      const ids = of.flatMap((one) => (one.severity === severity ? [one._id] : []));
      if (ids.length === 0) continue;
      const match = { ...whereOf(filter, selection), details_id: { $in: ids } };
      const found = await aggregateInTime<{ _id: string; count: number }>(
        vulnerabilities,
        [{ $match: match }, { $group: { _id: '$project_id', count: { $sum: 1 } } }],
        { session, hint: byDetails },
      );
      for (const { _id, count } of found)
        rows.push({ _id: { key: _id, project_id: _id, severity }, count });
    }
    return rows;
  }

  return async (query, session) => {
    const { filter } = query;
    if (!isNarrow(filter)) return counted(query, session);
    const isByProject =
      query.group_by === 'project' && isWhole(query.selection) && foundIndex(filter) === null;
    const isAny = detailsWhereOf(filter) === null;
    if (isAny && !isByProject) return read(query, null, session);
    const readRows = isByProject ? readByProject : read;
    const selected = await counts.matching.find(filter, {}, session);
    const others = isAny ? null : await counts.othersOf(query, selected, session);
    if (!others) return readRows(query, selected, session);
    const without = await readRows(query, others, session);
    const negative = without.map((row) => ({ ...row, count: -row.count }));
    return [...(await counted(query, session)), ...negative];
  };
}
