import type { ClientSession, Db, Filter } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import {
  byDetails,
  byFirstSeen as firstSeenIndex,
  byProject,
  detailsIndex,
  detailsOrder,
  type SortValue,
} from '../../tracking/store/list-indexes';
import { detailsWhereOf, severitiesOf, type StateFilter } from './list-filter';
import { directionOf, sortFields, type ListOrder, type Plan, type Window } from './list-plan';
import { inTime } from './in-time';
import { byPlace, type ListEntry } from './list-orders';
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

/** Ids of so many details fit into one query, and their vulnerabilities into memory. */
const mostSought = 20_000;

/** Reads the ids of one page, by each of the plans. */
export function createPageReader(
  db: Db,
): Record<Plan, (query: PageQuery, session: ClientSession) => Promise<string[]>> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const readScope = createScopeReader(db);

  /** Reads the details of a walk in order; `most`: their number; null: all. */
  function walkOf({ filter, order }: PageQuery, most: number | null) {
    const value = sortFields[order.sort] as SortValue;
    const direction = directionOf(order);
    const walked = walkedWhere(filter, value);
    const where = detailsWhereOf(filter);
    const stages = [
      { $match: where ? { $and: [walked, where] } : walked },
      { $sort: detailsOrder(value, direction) },
      ...(most === null ? [] : [{ $limit: most }]),
    ];
    return { stages, hint: detailsIndex(value, direction) };
  }

  /** Reads a page along the details in order; `most`: the number of details to pass; null: all. */
  async function walkDetails(
    query: PageQuery,
    most: number | null,
    session: ClientSession,
  ): Promise<string[]> {
    const { filter, window, scope } = query;
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
    const { stages, hint } = walkOf(query, most);
    const pipeline = [
      ...stages,
      { $project: { _id: 1 } },
      { $lookup: lookup },
      { $unwind: '$entry' },
      { $skip: window.skip },
      { $limit: window.limit },
      { $replaceRoot: { newRoot: '$entry' } },
    ];
    const entries = await inTime((limit) =>
      details.aggregate<{ _id: string }>(pipeline, { ...limit, session, hint }).toArray(),
    );
    return entries.map(({ _id }) => _id);
  }

  /**
   * The same with one query for all vulnerabilities of the first details. Where most details have none, it takes a third
   * of the time of a lookup of each.
   */
  async function seekDetails(
    query: PageQuery,
    most: number,
    session: ClientSession,
  ): Promise<string[]> {
    const { filter, window, scope } = query;
    const { stages, hint } = walkOf(query, most);
    const pipeline = [...stages, { $group: { _id: null, ids: { $push: '$_id' } } }];
    const [passed] = await inTime((limit) =>
      details.aggregate<{ ids: string[] }>(pipeline, { ...limit, session, hint }).toArray(),
    );
    const ids = passed?.ids ?? [];
    const where = { ...whereOf(filter, scope), details_id: { $in: ids } };
    const entries = await inTime((limit) =>
      vulnerabilities
        .find(where, { ...limit, session, hint: byDetails, batchSize: mostSought })
        .project<ListEntry>({ details_id: 1, project_id: 1, first_seen_at: 1 })
        .toArray(),
    );
    const place = new Map(ids.map((id, index) => [id, index]));
    entries.sort(byPlace(({ details_id }) => place.get(details_id ?? '') ?? 0));
    return entries.slice(window.skip, window.skip + window.limit).map(({ _id }) => _id);
  }

  return {
    async 'along-details'(query, session) {
      const { window, lookups } = query;
      // MongoDB reads the input of a lookup in batches of many thousands, unless it is limited.
      const most = 2 * lookups + window.limit;
      const isSparse = lookups >= window.skip + window.limit && most <= mostSought;
      const ids = await (isSparse ? seekDetails : walkDetails)(query, most, session);
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
