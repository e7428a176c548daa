import { severities, type Severity } from '@bomtrail/messages';
import type { ClientSession, Db } from 'mongodb';
import type { DetailsDocument } from '../../tracking/store/documents';
import { sumOfCounts } from '../../tracking/store/count-keys';
import {
  detailsWhereOf,
  namesFound,
  namesTimesOnly,
  severitiesOf,
  type StateFilter,
} from './list-filter';
import { countsByScope } from './list-plan';
import type { FilteredQuery } from './list-scopes';
import { createTimedCounts } from './timed-counts';
import { createMatchingDetails, type SelectedDetails } from './matching-details';
import { noCounts } from '../domain/group-vulnerabilities';

export type FilteredCounts = ReturnType<typeof createFilteredCounts>;

/** Counts the vulnerabilities of filters by more than scope, status and severity, of which there are no counters. */
export function createFilteredCounts(db: Db) {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const matching = createMatchingDetails(db);
  const inTimes = createTimedCounts(db);

  /**
   * The details of its severities that a filter does not select, if it selects most of them and nothing else
   * narrows it: counting these and subtracting is cheaper. Null otherwise.
   */
  async function othersOf(
    { filter }: FilteredQuery,
    selected: readonly SelectedDetails[],
    session: ClientSession,
  ): Promise<SelectedDetails[] | null> {
    if (filter.purl !== undefined || namesFound(filter)) return null;
    const all = await details.estimatedDocumentCount();
    if (selected.length * 2 < all) return null;
    const others = await matching.others(filter, session);
    return others.length < selected.length ? others : null;
  }

  /** The vulnerabilities with each of these details; null: with any. */
  function countsOf(
    query: FilteredQuery,
    of: readonly SelectedDetails[] | null,
    session: ClientSession,
  ): Promise<Map<string, number>> {
    const ids = of && of.map(({ _id }) => _id);
    const options = { scope: query.selection, ids, inScope: inScopeOf(query) };
    return matching.count(query.filter, options, session);
  }

  /** The same for details that a filter selects: all of them are counted without naming them. */
  function countsOfSelected(
    query: FilteredQuery,
    selected: readonly SelectedDetails[],
    session: ClientSession,
  ): Promise<Map<string, number>> {
    return countsOf(query, selectsAll(query.filter) ? null : selected, session);
  }

  /** The details that a filter selects, each with the number of its vulnerabilities. */
  async function byDetails(
    query: FilteredQuery,
    session: ClientSession,
  ): Promise<(SelectedDetails & { count: number })[]> {
    const size = { inScope: inScopeOf(query), details: await details.estimatedDocumentCount() };
    const filter = { ...query.filter, project_id: query.selection.project_id };
    const ofScope = countsByScope(filter, size) ? await countsOf(query, null, session) : null;
    const selected = ofScope
      ? await matching.among([...ofScope.keys()], filter, session)
      : await matching.find(filter, {}, session);
    const counts = ofScope ?? (await countsOfSelected(query, selected, session));
    return selected.flatMap((one) => {
      const count = counts.get(one._id) ?? 0;
      return count > 0 ? [{ ...one, count }] : [];
    });
  }

  /** The vulnerabilities that a filter selects, by severity. */
  async function bySeverity(
    query: FilteredQuery,
    session: ClientSession,
  ): Promise<Record<Severity, number>> {
    const { filter, selection } = query;
    const isSmall = selection.services !== undefined || selection.project_id !== undefined;
    if (!isSmall && namesTimesOnly(filter)) return tally([...(await inTimes(query, session))]);
    if (!isSmall) {
      const selected = await matching.find(filter, {}, session);
      const others = await othersOf(query, selected, session);
      if (others) {
        const counts = await countsOf(query, others, session);
        const missing = others.map((one) => [one.severity, -(counts.get(one._id) ?? 0)] as const);
        const all = severitiesOf(filter).map(
          (one) => [one, sumOfCounts(selection.counts, filter.statuses, [one])] as const,
        );
        return tally([...all, ...missing]);
      }
      const counts = await countsOfSelected(query, selected, session);
      return tally(selected.map((one) => [one.severity, counts.get(one._id) ?? 0]));
    }
    const counted = await byDetails(query, session);
    return tally(counted.map(({ severity, count }) => [severity, count]));
  }

  return { matching, othersOf, countsOf, countsOfSelected, byDetails, bySeverity };
}

/** The vulnerabilities of the scope with the statuses and severities of the filter. */
export function inScopeOf({ filter, selection }: FilteredQuery): number {
  return sumOfCounts(selection.counts, filter.statuses, severitiesOf(filter));
}

function selectsAll(filter: StateFilter): boolean {
  return detailsWhereOf(filter) === null && severitiesOf(filter).length === severities.length;
}

function tally(counted: readonly (readonly [Severity, number])[]): Record<Severity, number> {
  const counts = noCounts();
  for (const [severity, count] of counted) counts[severity] += count;
  return counts;
}
