import { LRUCache } from 'lru-cache';
import type { ClientSession, Db, Document, Filter } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import {
  byFirstSeen as firstSeenIndex,
  byProject,
  byService,
  type IndexKey,
  type SortValue,
} from '../../tracking/store/list-indexes';
import { remembered } from '../../tracking/store/remembered';
import { detailsWhereOf, severitiesOf, type StateFilter } from './list-filter';
import {
  byDetailsValue,
  byFirstSeen,
  entryFields,
  type ListEntry,
  type Value,
} from './list-orders';
import { directionOf, sortFields, type ListOrder } from './list-plan';
import { findInTime } from './in-time';
import { inScopeOf } from './filtered-counts';
import type { Selection } from './list-scopes';
import { whereOf } from './list-where';
import { listedProjection, type PageEntry } from './listed-vulnerabilities';

/** What details sort by. */
interface SortedBy {
  value: Value;
}

/** Values that details keep, unlike those of the risk feeds: a process reads them once. */
const unchangingValues: readonly SortValue[] = [
  'score_sort',
  'severity_rank',
  'cve_id',
  'package_sort',
  'published_sort',
];
/** Of each value, some 100 bytes each. */
const rememberedValues = 10_000;

/** Up to this many are read whole, which takes less time than another query for those of the page. */
const readWhole = 100;

/** Reads all vulnerabilities of a scope that a filter selects, in order, for scopes of limited size. */
export type ScopeReader = (
  query: { filter: StateFilter; order: ListOrder; scope: Selection },
  session: ClientSession,
) => Promise<ScopeEntry[]>;
type ScopeEntry = ListEntry & PageEntry;

export function createScopeReader(db: Db): ScopeReader {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  /** Of these details, the sort values of those that the filter selects. */
  async function valuesOf(
    ids: Iterable<string>,
    { where, value }: { where: Filter<DetailsDocument> | null; value: string },
    session: ClientSession | undefined,
  ): Promise<[string, SortedBy][]> {
    const named = { _id: { $in: [...ids] } };
    const found: Document[] = await findInTime(details, where ? { $and: [named, where] } : named, {
      session,
      hint: { _id: 1 },
      projection: { [value]: 1 },
    });
    return found.map((one) => [one['_id'] as string, { value: one[value] as Value }]);
  }

  const readUnchanging = new Map(
    unchangingValues.map((value) => {
      const memory = new LRUCache<string, SortedBy>({ max: rememberedValues });
      const read = (ids: string[], session?: ClientSession) =>
        valuesOf(ids, { where: null, value }, session);
      return [value as string, remembered(memory, read)];
    }),
  );

  return async ({ filter, order, scope }, session) => {
    const inScope = { ...whereOf(filter, scope), severity: { $in: severitiesOf(filter) } };
    const isFew = inScopeOf({ filter, selection: scope }) <= readWhole;
    const entries: ScopeEntry[] = await findInTime(vulnerabilities, inScope, {
      session,
      hint: indexOf(scope),
      projection: isFew ? listedProjection : entryFields,
    });
    const direction = directionOf(order);
    const value = sortFields[order.sort];
    const where = detailsWhereOf(filter);
    if (value === 'first_seen_at' && !where) return entries.sort(byFirstSeen(direction));
    const ids = new Set(entries.flatMap(({ details_id }) => details_id ?? []));
    const unchanging = where ? undefined : readUnchanging.get(value);
    const values = unchanging
      ? await unchanging(ids, session)
      : new Map(await valuesOf(ids, { where, value }, session));
    const selected = entries.filter(({ details_id }) => values.has(details_id ?? ''));
    if (value === 'first_seen_at') return selected.sort(byFirstSeen(direction));
    const valueOf = (entry: ListEntry): Value => values.get(entry.details_id ?? '')?.value ?? null;
    return selected.sort(byDetailsValue(valueOf, direction));
  };
}

function indexOf({ services, project_id }: Selection): IndexKey {
  if (services) return byService;
  return project_id ? byProject : firstSeenIndex;
}
