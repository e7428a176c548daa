import type { Severity } from '@bomtrail/messages';
import type { ClientSession, Db, Document, Filter } from 'mongodb';
import type { CountedStatus } from '../../tracking/store/count-keys';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import {
  byDetails,
  byDetection,
  byProject,
  byService,
  detailsIndex,
  detailsOrder,
  type SortValue,
} from '../../tracking/store/list-indexes';
import {
  detailsWhereOf,
  selectiveIndex,
  severitiesOf,
  type StateFilter,
  foundIndex,
} from './list-filter';
import { countsByScope, directionOf, sortFields, type ListOrder } from './list-plan';
import { aggregateInTime, findInTime } from './in-time';
import { whereOf, type Scope } from './list-where';
import { severityRanks } from '../../tracking/store/details-document';

/** Details that a filter selects. */
export interface SelectedDetails {
  _id: string;
  severity: Severity;
}

type Details = Filter<DetailsDocument>;

const anyOrder: ListOrder = { sort: 'severity', order: 'desc' };

/** The details that a walk passes. Only lists of open vulnerabilities may skip those without one. */
export function walkedWhere(filter: StateFilter, value: SortValue): Details {
  const severities = severitiesOf(filter);
  return {
    has_open: hasOpenOf(filter.statuses),
    ...(value === 'severity_rank'
      ? { severity_rank: { $in: severities.map((severity) => severityRanks[severity]) } }
      : { severity: { $in: severities } }),
  };
}

function hasOpenOf(statuses: readonly CountedStatus[]): Details['has_open'] {
  return statuses.every((status) => status === 'open') ? true : { $in: [true, false] };
}

/** Finds the details that filters select, and counts their vulnerabilities. */
export function createMatchingDetails(db: Db) {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  return {
    /**
     * The details that a filter selects, in the order of a list; without one for `first_seen_at`.
     *
     * @param options `among`: ids of those to select from; by default all
     */
    find(
      filter: StateFilter,
      { order, among }: { order?: ListOrder; among?: readonly string[] | undefined },
      session: ClientSession,
    ): Promise<SelectedDetails[]> {
      const sorted = order && order.sort !== 'first_seen_at' ? order : anyOrder;
      const by = sortFields[sorted.sort] as SortValue;
      const direction = directionOf(sorted);
      const where = detailsWhereOf(filter);
      const selective = among ? { _id: 1 as const } : selectiveIndex(filter);
      const scope = selective
        ? {
            ...(among ? { _id: { $in: [...among] } } : { has_open: hasOpenOf(filter.statuses) }),
            severity: { $in: severitiesOf(filter) },
          }
        : walkedWhere(filter, by);
      const sort = { $sort: detailsOrder(by, direction) };
      const fields = { $project: { severity: 1, [by]: 1, missing: { [by]: 1 } } };
      const pipeline: Document[] = [
        { $match: where ? { $and: [scope, where] } : scope },
        // Without an index in this order, only the values are sorted.
        ...(selective ? [fields, sort] : [sort, fields]),
        { $project: { severity: 1 } },
      ];
      const hint = selective ?? detailsIndex(by, direction);
      return aggregateInTime(details, pipeline, { session, hint });
    },

    /** Those of these details that a filter selects. */
    among(
      ids: readonly string[],
      filter: StateFilter,
      session: ClientSession,
    ): Promise<SelectedDetails[]> {
      const named = { _id: { $in: [...ids] }, severity: { $in: severitiesOf(filter) } };
      const where = detailsWhereOf(filter);
      return findInTime(details, where ? { $and: [named, where] } : named, {
        session,
        hint: { _id: 1 },
        projection: { severity: 1 },
      });
    },

    /** Those of its severities that it does not select. */
    async others(filter: StateFilter, session: ClientSession): Promise<SelectedDetails[]> {
      const where = detailsWhereOf(filter);
      if (!where) return [];
      const scope = walkedWhere(filter, 'severity_rank');
      const hint = detailsIndex('severity_rank', -1);
      const unselected = { $and: [scope, { $nor: [where] }] };
      return findInTime(details, unselected, { session, hint, projection: { severity: 1 } });
    },

    /**
     * The number of vulnerabilities with each of these details that a filter selects, without those that have
     * none.
     *
     * @param options `ids` null: all details; `inScope`: the vulnerabilities in the scope
     */
    async count(
      filter: StateFilter,
      options: { scope: Scope; ids: readonly string[] | null; inScope: number },
      session: ClientSession,
    ): Promise<Map<string, number>> {
      const { scope, ids, inScope } = options;
      if (ids?.length === 0) return new Map();
      const size = { inScope, details: ids?.length ?? Number.MAX_SAFE_INTEGER };
      const byScope = countsByScope({ ...filter, project_id: scope.project_id }, size);
      const inScopeIndex = scope.services ? byService : byProject;
      const hint = byScope ? inScopeIndex : (foundIndex(filter) ?? byDetails);
      const pipeline = [
        {
          $match: {
            ...whereOf(filter, scope),
            // Of other indexes this would read the documents.
            ...(hint === byDetection ? { severity: { $in: severitiesOf(filter) } } : {}),
            details_id: ids ? { $in: [...ids] } : { $gt: '' },
          },
        },
        { $group: { _id: '$details_id', count: { $sum: 1 } } },
      ];
      type Row = { _id: string; count: number };
      const found = await aggregateInTime<Row>(vulnerabilities, pipeline, { session, hint });
      return new Map(found.map(({ _id, count }) => [_id, count]));
    },
  };
}
