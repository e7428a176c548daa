import type { ClientSession, Db, Filter } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import {
  byFirstSeen as firstSeenIndex,
  byProject,
  detailsIndex,
  detailsOrder,
  type SortValue,
} from '../../tracking/store/list-indexes';
import { detailsWhereOf, severitiesOf, type StateFilter } from './list-filter';
import { directionOf, sortFields, type ListOrder, type Plan, type Window } from './list-plan';
import { inTime } from './in-time';
import { whereOf, type Scope } from './list-where';
import { createScopeReader } from './scope-reader';
import { walkedWhere } from './matching-details';

/** A page to read: which vulnerabilities, in which order, of which part of the list. */
export interface PageQuery {
  filter: StateFilter;
  order: ListOrder;
  window: Window;
  scope: Scope;
  /** The number of details that a walk is expected to pass. */
  lookups: number;
  /** Ids of the details in the walk that the filter does not select. */
  without?: readonly string[];
  /** Ids of the details in the walk; undefined: all. */
  among?: readonly string[];
}

type Vulnerabilities = Filter<TrackedVulnerabilityDocument>;

/** Reads the ids of one page, by each of the plans. */
export function createPageReader(
  db: Db,
): Record<Plan, (query: PageQuery, session: ClientSession) => Promise<string[]>> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const readScope = createScopeReader(db);

  /** Reads a page along the details in order; `most`: the number of details to pass; null: all. */
  async function walkDetails(
    { filter, order, window, scope }: PageQuery,
    most: number | null,
    session: ClientSession,
  ): Promise<string[]> {
    const value = sortFields[order.sort] as SortValue;
    const direction = directionOf(order);
    const lookup = {
      from: vulnerabilities.collectionName,
      localField: '_id',
      foreignField: 'details_id',
      pipeline: [
        { $match: whereOf(filter, scope) },
        { $sort: { project_id: 1, first_seen_at: 1, _id: 1 } },
        { $project: { _id: 1 } },
      ],
      as: 'entry',
    };
    const walked = walkedWhere(filter, value);
    const where = detailsWhereOf(filter);
    const pipeline = [
      { $match: where ? { $and: [walked, where] } : walked },
      { $sort: detailsOrder(value, direction) },
      ...(most === null ? [] : [{ $limit: most }]),
      { $project: { _id: 1 } },
      { $lookup: lookup },
      { $unwind: '$entry' },
      { $skip: window.skip },
      { $limit: window.limit },
      { $replaceRoot: { newRoot: '$entry' } },
    ];
    const hint = detailsIndex(value, direction);
    const entries = await inTime((limit) =>
      details.aggregate<{ _id: string }>(pipeline, { ...limit, session, hint }).toArray(),
    );
    return entries.map(({ _id }) => _id);
  }

  return {
    async 'along-details'(query, session) {
      const { window, lookups } = query;
      // MongoDB reads the input of a lookup in batches of many thousands, unless it is limited.
      const most = 2 * lookups + window.limit;
      const ids = await walkDetails(query, most, session);
      return ids.length < window.limit ? walkDetails(query, null, session) : ids;
    },

    async 'along-first-seen'(query, session) {
      const { filter, order, window, scope, without, among } = query;
      const direction = directionOf(order);
      const where: Vulnerabilities = {
        ...whereOf(filter, scope),
        severity: { $in: severitiesOf(filter) },
        ...(without?.length ? { details_id: { $nin: [...without] } } : {}),
        ...(among ? { details_id: { $in: [...among] } } : {}),
      };
      const entries = await inTime((limit) =>
        vulnerabilities
          .find(where, { ...limit, session, hint: scope.project_id ? byProject : firstSeenIndex })
          .sort({ first_seen_at: direction, _id: -direction as 1 | -1 })
          .skip(window.skip)
          .limit(window.limit)
          .allowDiskUse(true)
          .project<{ _id: string }>({ _id: 1 })
          .toArray(),
      );
      return entries.map(({ _id }) => _id);
    },

    async 'in-memory'({ filter, order, window, scope }, session) {
      const entries = await readScope({ filter, order, scope }, session);
      return entries.slice(window.skip, window.skip + window.limit).map(({ _id }) => _id);
    },
  };
}
