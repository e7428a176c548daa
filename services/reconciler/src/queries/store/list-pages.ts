import type { ClientSession, Db, Document, Filter } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import {
  byDetails,
  byFirstSeen as firstSeenIndex,
  byProject,
  byService,
  detailsIndex,
  detailsOrder,
  type IndexKey,
  type SortValue,
} from '../../tracking/store/list-indexes';
import {
  directionOf,
  severitiesOf,
  sortFields,
  type StateFilter,
  type ListOrder,
  type Plan,
  type Window,
} from './list-plan';
import { byDetailsValue, byFirstSeen, type ListEntry, type Value } from './list-orders';

/** A page to read: which vulnerabilities, in which order, of which part of the list. */
export interface PageQuery {
  filter: StateFilter;
  order: ListOrder;
  window: Window;
  /** `whereOf` the filter. */
  where: Filter<TrackedVulnerabilityDocument>;
  /** The details that name the id of the filter; null: it names none. */
  detailsIds: readonly string[] | null;
  /** The number of details that a walk is expected to pass. */
  lookups: number;
}

type Vulnerabilities = Filter<TrackedVulnerabilityDocument>;

const ranks = { critical: 5, high: 4, medium: 3, low: 2, none: 1, unknown: null };

/** Reads the ids of one page, by each of the plans. */
export function createPageReader(
  db: Db,
): Record<Plan, (query: PageQuery, session: ClientSession) => Promise<string[]>> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  async function sortValuesOf(
    ids: readonly string[],
    value: SortValue,
    session: ClientSession,
  ): Promise<Map<string, Value>> {
    const found = await details
      .find({ _id: { $in: [...ids] } }, { session })
      .project<Document>({ [value]: 1 })
      .toArray();
    return new Map(found.map((one) => [one['_id'] as string, one[value] as Value]));
  }

  /** Reads a page along the details in order; `most`: the number of details to pass; null: all. */
  async function walkDetails(
    { filter, order, window, where, detailsIds }: PageQuery,
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
        { $match: where },
        { $sort: { project_id: 1, first_seen_at: 1, _id: 1 } },
        { $project: { _id: 1 } },
      ],
      as: 'entry',
    };
    const pipeline = [
      { $match: detailsIds ? { _id: { $in: detailsIds } } : walked(filter, value) },
      { $sort: detailsOrder(value, direction) },
      ...(most === null ? [] : [{ $limit: most }]),
      { $project: { _id: 1 } },
      { $lookup: lookup },
      { $unwind: '$entry' },
      { $skip: window.skip },
      { $limit: window.limit },
      { $replaceRoot: { newRoot: '$entry' } },
    ];
    const options = { session, ...(detailsIds ? {} : { hint: detailsIndex(value, direction) }) };
    const entries = await details.aggregate<{ _id: string }>(pipeline, options).toArray();
    return entries.map(({ _id }) => _id);
  }

  return {
    async 'along-details'(query, session) {
      const { window, detailsIds, lookups } = query;
      if (detailsIds) return walkDetails(query, null, session);
      // MongoDB reads the input of a lookup in batches of many thousands, unless it is limited.
      const most = 2 * lookups + window.limit;
      const ids = await walkDetails(query, most, session);
      return ids.length < window.limit ? walkDetails(query, null, session) : ids;
    },

    async 'along-first-seen'({ filter, order, window, where, detailsIds }, session) {
      const direction = directionOf(order);
      const scope: Vulnerabilities = detailsIds
        ? { ...where, details_id: { $in: [...detailsIds] } }
        : { ...where, severity: { $in: severitiesOf(filter) } };
      const index = filter.project_id ? byProject : firstSeenIndex;
      const entries = await vulnerabilities
        .find(scope, { session, hint: detailsIds ? byDetails : index })
        .sort({ first_seen_at: direction, _id: -direction as 1 | -1 })
        .skip(window.skip)
        .limit(window.limit)
        .allowDiskUse(true)
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      return entries.map(({ _id }) => _id);
    },

    async 'in-memory'({ filter, order, window, where, detailsIds }, session) {
      const scope: Vulnerabilities = {
        ...where,
        severity: { $in: severitiesOf(filter) },
        ...(detailsIds && { details_id: { $in: [...detailsIds] } }),
      };
      const entries = await vulnerabilities
        .find(scope, { session, hint: scopeIndex(filter), batchSize: 10_000 })
        .project<ListEntry>({ details_id: 1, project_id: 1, first_seen_at: 1 })
        .toArray();
      const direction = directionOf(order);
      const value = sortFields[order.sort];
      if (value === 'first_seen_at') entries.sort(byFirstSeen(direction));
      else {
        const ids = new Set(entries.flatMap(({ details_id }) => details_id ?? []));
        const values = await sortValuesOf([...ids], value, session);
        const valueOf = (entry: ListEntry): Value => values.get(entry.details_id ?? '') ?? null;
        entries.sort(byDetailsValue(valueOf, direction));
      }
      return entries.slice(window.skip, window.skip + window.limit).map(({ _id }) => _id);
    },
  };
}

function scopeIndex({ service_id, project_id }: StateFilter): IndexKey {
  if (service_id) return byService;
  return project_id ? byProject : firstSeenIndex;
}

/** The details that a walk passes. Only lists of open vulnerabilities may skip those without one. */
function walked(filter: StateFilter, value: SortValue): Filter<DetailsDocument> {
  const severities = severitiesOf(filter);
  const isActive = filter.statuses.every((status) => status === 'open');
  return {
    has_open: isActive ? true : { $in: [true, false] },
    ...(value === 'severity_rank'
      ? { severity_rank: { $in: severities.map((severity) => ranks[severity]) } }
      : { severity: { $in: severities } }),
  };
}
