import type { ClientSession, Db, Filter } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import {
  byFirstSeen as firstSeenIndex,
  byProject,
  detailsIndex,
  detailsOrder,
  type SortValue,
} from '../../tracking/store/list-indexes';
import { detailsWhereOf, namesFound, severitiesOf, type StateFilter } from './list-filter';
import {
  directionOf,
  firstSeenOrder,
  sortFields,
  type ListOrder,
  type Plan,
  type Window,
} from './list-plan';
import { createEntriesOfDetails } from './entries-of-details';
import { aggregateInTime, findInTime } from './in-time';
import type { Selection } from './list-scopes';
import { whereOf } from './list-where';
import { listedProjection, type PageEntry } from './listed-vulnerabilities';
import type { ScopeReader } from './scope-reader';
import { walkedWhere } from './matching-details';

/** A page to read: which vulnerabilities, in which order, of which part of the list. */
export interface PageQuery {
  filter: StateFilter;
  order: ListOrder;
  window: Window;
  scope: Selection;
  /** The number of details that a walk is expected to pass. */
  lookups: number;
  /** Ids of the details in the walk that the filter does not select. */
  without?: readonly string[];
  /** Ids of the details in the walk; undefined: all. */
  among?: readonly string[];
}

type Vulnerabilities = Filter<TrackedVulnerabilityDocument>;

/**
 * Vulnerabilities before a page that are read whole like those of the page: 100 take less time than another query for
 * those of the page.
 */
const readBefore = 100;
/** The maximum number of details in one query, unless it is for all. */
const detailsAtOnce = 50_000;
/** A page needs more details than it would on average about once in 30 times. */
const firstPart = 1.3;

/** Reads the entries of one page, by each of the plans. */
export type PageReader = Record<
  Plan,
  (query: PageQuery, session: ClientSession) => Promise<PageEntry[]>
>;

export function createPageReader(db: Db, readScope: ScopeReader): PageReader {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const entriesOf = createEntriesOfDetails(db);

  /** The first stages of a walk, which read the details in order. */
  function walkOf({ filter, order }: PageQuery, { skip, limit }: Partial<Window> = {}) {
    const value = sortFields[order.sort] as SortValue;
    const direction = directionOf(order);
    const walked = walkedWhere(filter, value);
    const where = detailsWhereOf(filter);
    const stages = [
      { $match: where ? { $and: [walked, where] } : walked },
      { $sort: detailsOrder(value, direction) },
      ...(skip ? [{ $skip: skip }] : []),
      ...(limit ? [{ $limit: limit }] : []),
    ];
    return { stages, hint: detailsIndex(value, direction) };
  }

  /** Reads a page along the details in order; `most`: the number of details to pass; null: all. */
  async function walkDetails(
    query: PageQuery,
    most: number | null,
    session: ClientSession,
  ): Promise<PageEntry[]> {
    const { filter, window, scope } = query;
    const lookup = {
      from: vulnerabilities.collectionName,
      localField: '_id',
      foreignField: 'details_id',
      pipeline: [
        { $match: whereOf(filter, scope) },
        { $sort: { project_id: 1, first_seen_at: 1, _id: 1 } },
        // Of no details are more on the page; MongoDB would read megabytes of them ahead.
        { $limit: window.skip + window.limit },
        ...(isReadWhole(window) ? [] : [{ $project: { _id: 1 } }]),
      ],
      as: 'entry',
    };
    const { stages, hint } = walkOf(query, most === null ? {} : { limit: most });
    const pipeline = [
      ...stages,
      { $project: { _id: 1 } },
      { $lookup: lookup },
      { $unwind: '$entry' },
      { $skip: window.skip },
      { $limit: window.limit },
      { $replaceRoot: { newRoot: '$entry' } },
      // Within the lookup, where deep pages have theirs, one of so many fields is compiled for each of the details.
      { $project: projectionOf(window) },
    ];
    return aggregateInTime(details, pipeline, { session, hint });
  }

  /** The ids of a part of the details in order. */
  async function readDetails(
    query: PageQuery,
    part: Window,
    session: ClientSession,
  ): Promise<string[]> {
    const { stages, hint } = walkOf(query, part);
    const pipeline = [...stages, { $group: { _id: null, ids: { $push: '$_id' } } }];
    const [read] = await aggregateInTime<{ ids: string[] }>(details, pipeline, { session, hint });
    return read?.ids ?? [];
  }

  /**
   * Reads a page along the details, part by part, with one query for the vulnerabilities of each part. Where most
   * details have none, it takes a third of the time of a lookup of each.
   */
  async function readAlongParts(query: PageQuery, session: ClientSession): Promise<PageEntry[]> {
    const { filter, window, scope, lookups } = query;
    const where = whereOf(filter, scope);
    const end = window.skip + window.limit;
    const found: PageEntry[] = [];
    let passed = 0;
    let limit = Math.min(Math.ceil(lookups * firstPart), detailsAtOnce);
    for (;;) {
      const ids = await readDetails(query, { skip: passed, limit }, session);
      for (const { _id } of await entriesOf(ids, where, session)) found.push({ _id });
      if (found.length >= end || ids.length < limit) return found.slice(window.skip, end);
      passed += limit;
      limit = Math.min(2 * limit, detailsAtOnce);
    }
  }

  return {
    async 'along-details'(query, session) {
      if (isSparse(query)) return readAlongParts(query, session);
      const { window, lookups } = query;
      // MongoDB reads the input of a lookup in batches of many thousands, unless it is limited.
      for (let most = 2 * lookups + window.limit; most < detailsAtOnce; most *= 4) {
        const entries = await walkDetails(query, most, session);
        if (entries.length === window.limit) return entries;
      }
      return walkDetails(query, null, session);
    },

    async 'along-first-seen'(query, session) {
      const { filter, order, window, scope, without, among } = query;
      const where: Vulnerabilities = {
        ...whereOf(filter, scope),
        severity: { $in: severitiesOf(filter) },
        ...(without?.length ? { details_id: { $nin: [...without] } } : {}),
        ...(among ? { details_id: { $in: [...among] } } : {}),
      };
      return findInTime(vulnerabilities, where, {
        ...window,
        session,
        hint: scope.project_id ? byProject : firstSeenIndex,
        sort: firstSeenOrder(order),
        projection: projectionOf(window),
        allowDiskUse: true,
      });
    },

    async 'in-memory'({ filter, order, window, scope }, session) {
      const entries = await readScope({ filter, order, scope }, session);
      return entries.slice(window.skip, window.skip + window.limit);
    },
  };
}

function isReadWhole({ skip }: Window): boolean {
  return skip <= readBefore;
}

function projectionOf(window: Window): Record<string, 1> {
  return isReadWhole(window) ? listedProjection : { _id: 1 };
}

/** Whether most details of a walk have no match, by a known number of matches; entries of an index alone tell which have. */
function isSparse({ filter, window, scope, lookups }: PageQuery): boolean {
  const isKnown = !namesFound(filter) && scope.services === undefined;
  return isKnown && lookups >= window.skip + window.limit;
}
