import type { ClientSession, Db } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { byDecision, byDetails } from '../../tracking/store/list-indexes';
import { inScopeOf, type FilteredCounts } from './filtered-counts';
import type { FilteredQuery } from './list-scopes';
import { detailsWhereOf, type StateFilter, foundIndex } from './list-filter';
import { createEntriesOfDetails } from './entries-of-details';
import { entryFields, type ListEntry } from './list-orders';
import {
  firstSeenOrder,
  isFilteredInMemory,
  lookupsOf,
  type ListLimits,
  type ListOrder,
  type Window,
} from './list-plan';
import type { PageReader } from './list-pages';
import type { PageEntry } from './listed-vulnerabilities';
import { whereOf } from './list-where';
import { findInTime } from './in-time';
import type { ScopeReader } from './scope-reader';

/** A page of a filter to read. */
export type PageOfFilter = FilteredQuery & { order: ListOrder; window: Window };

/** A page and what its filter selects. */
export interface FilteredPage {
  entries: PageEntry[];
  total: number;
}

/**
 * Pages of filters by more than scope, status and severity.
 *
 * - A small scope is read whole, and filtered in memory.
 * - Otherwise the details that the filter selects are found first, and their vulnerabilities are counted in
 *   an index by details, which tells where the page begins, however late it is.
 * - If the filter selects most details, the others are counted and subtracted from the counters, and the page
 *   is read by a walk.
 */
export function createFilteredPages(
  db: Db,
  { counts, read, readScope }: { counts: FilteredCounts; read: PageReader; readScope: ScopeReader },
  options: Pick<ListLimits, 'sortedInMemory'>,
): (query: PageOfFilter, session: ClientSession) => Promise<FilteredPage> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const entriesOf = createEntriesOfDetails(db);

  /** Vulnerabilities of one of the details, in order, within a window. */
  function readOne(
    { filter, selection, window }: PageOfFilter,
    id: string,
    session: ClientSession,
  ): Promise<ListEntry[]> {
    const where = { ...whereOf(filter, selection), details_id: id };
    return findInTime(vulnerabilities, where, {
      ...window,
      session,
      hint: byDetails,
      sort: { project_id: 1, first_seen_at: 1, _id: 1 },
      projection: entryFields,
    });
  }

  /**
   * The vulnerabilities of some details that are in a window of them all, in order: of the first and last
   * details, of which there may be very many, no more than these; of those between all, in one query.
   */
  async function readWindow(
    query: PageOfFilter & { chosen: readonly string[] },
    session: ClientSession,
  ): Promise<PageEntry[]> {
    const { filter, selection, window, chosen } = query;
    const [first, last] = [chosen[0], chosen.length > 1 ? chosen.at(-1) : undefined];
    const between = chosen.slice(1, -1);
    const entries = first === undefined ? [] : await readOne(query, first, session);
    entries.push(...(await entriesOf(between, whereOf(filter, selection), session)));
    if (last !== undefined) {
      const rest = { skip: 0, limit: window.limit - entries.length };
      entries.push(...(await readOne({ ...query, window: rest }, last, session)));
    }
    return entries.map(({ _id }) => ({ _id }));
  }

  async function readFirstSeen(
    { filter, selection, order, window, ids }: PageOfFilter & { ids: readonly string[] },
    session: ClientSession,
  ): Promise<PageEntry[]> {
    const where = { ...whereOf(filter, selection), details_id: { $in: [...ids] } };
    return findInTime(vulnerabilities, where, {
      ...window,
      session,
      hint: foundIndex(filter) ?? byDetails,
      sort: firstSeenOrder(order),
      projection: { _id: 1 },
      allowDiskUse: true,
    });
  }

  return async (query, session) => {
    const { filter, selection, order, window } = query;
    const inScope = inScopeOf(query);
    if (isFilteredInMemory(scoped(query), { inScope, ...options })) {
      const all = await readScope({ filter, order, scope: selection }, session);
      return { entries: all.slice(window.skip, window.skip + window.limit), total: all.length };
    }
    // Few are decided about: their details are found through them.
    const ofDecided =
      foundIndex(filter) === byDecision ? await counts.countsOf(query, null, session) : undefined;
    const among = ofDecided && [...ofDecided.keys()];
    const selected = await counts.matching.find(filter, { order, among }, session);
    const others = await counts.othersOf(query, selected, session);
    const walk = order.sort === 'first_seen_at' ? 'along-first-seen' : 'along-details';
    if (others) {
      const total = inScope - sumOf(await counts.countsOf(query, others, session));
      const lookups = lookupsOf({ total, details: selected.length, window });
      const without = others.map(({ _id }) => _id);
      const page = { filter, order, window, scope: selection, lookups, without };
      return { entries: total > window.skip ? await read[walk](page, session) : [], total };
    }
    const counted = ofDecided
      ? new Map(selected.map(({ _id }) => [_id, ofDecided.get(_id) ?? 0]))
      : await counts.countsOfSelected(query, selected, session);
    const total = sumOf(counted);
    if (window.skip >= total) return { entries: [], total };
    if (walk === 'along-first-seen') {
      const isWalked = !detailsWhereOf(filter) && total > inScope * leastWalked;
      const page = { filter, order, window, scope: selection, lookups: 0 };
      const entries = isWalked
        ? await read[walk](page, session)
        : await readFirstSeen({ ...query, ids: [...counted.keys()] }, session);
      return { entries, total };
    }
    const ids = selected.map(({ _id }) => _id);
    const { chosen, skip } = placeOf(window, ids, counted);
    const part = { skip, limit: window.limit };
    return { entries: await readWindow({ ...query, window: part, chosen }, session), total };
  };
}

/** A walk that finds a smaller share of what it passes is more expensive than sorting. */
const leastWalked = 0.05;

function scoped({ filter, selection }: FilteredQuery): StateFilter {
  return { ...filter, project_id: selection.project_id };
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** The details whose vulnerabilities are in a window, and how many of these precede it. */
function placeOf(
  { skip, limit }: Window,
  ids: readonly string[],
  counts: ReadonlyMap<string, number>,
): { chosen: string[]; skip: number } {
  const chosen: string[] = [];
  let before = skip;
  let covered = 0;
  for (const id of ids) {
    const count = counts.get(id) ?? 0;
    if (count === 0) continue;
    if (chosen.length === 0 && count <= before) {
      before -= count;
      continue;
    }
    chosen.push(id);
    covered += count;
    if (covered >= before + limit) break;
  }
  return { chosen, skip: before };
}
