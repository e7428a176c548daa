import type { ClientSession, Db } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { byDetection } from '../../tracking/store/list-indexes';
import { inScopeOf, type FilteredCounts } from './filtered-counts';
import type { FilteredPage, PageOfFilter } from './filtered-pages';
import { findInTime, inTime } from './in-time';
import {
  detailsWhereOf,
  foundIndex,
  isSelective,
  namesFound,
  namesTimesOnly,
  severitiesOf,
  type StateFilter,
} from './list-filter';
import type { PageReader } from './list-pages';
import type { PageEntry } from './listed-vulnerabilities';
import {
  directionOf,
  firstSeenOrder,
  isFilteredInMemory,
  lookupsOf,
  type ListLimits,
  type Window,
} from './list-plan';
import { whereOf } from './list-where';

/** A page whose filter was not counted: whether more follows is known, how much is not. */
interface UncountedPage {
  entries: PageEntry[];
  total: null;
  has_more: boolean;
}

/**
 * Up to this part of the scope may precede a page that is read by a walk: each of these is passed. A condition on
 * the vulnerability itself lets a walk pass many more than it skips.
 */
const mostSkipped = { byDetails: 0.25, byFound: 0.01 };

/**
 * What a filter by time selects at least of a scope that is walked; less is counted, in an index that has it. It may
 * be less if nothing but the time makes the walk to the end of the page longer, and this is short all the same.
 */
const leastTimed = 0.025;

/** The part of the details that a filter by first sight selects at least, to be read along all vulnerabilities. */
const leastWalked = 0.05;

/** The part of a filter that the index by detection has. */
function timesOf({ statuses, overdue, detected_since }: StateFilter): StateFilter {
  return { statuses, overdue, detected_since };
}

/** What a condition on the vulnerability itself is expected to select of the scope; a walk that needs more reads on. */
const expectedShare = 0.2;

/**
 * Pages of filters by more than scope, status and severity, without their total. A walk in the order of the list
 * ends with the page; where the walk would pass too much the page is counted.
 *
 * @param counted reads and counts a page
 */
export function createUncountedPages(
  db: Db,
  {
    counts,
    counted,
    read,
  }: {
    counts: FilteredCounts;
    read: PageReader;
    counted: (query: PageOfFilter, session: ClientSession) => Promise<FilteredPage>;
  },
  limits: ListLimits,
): (query: PageOfFilter, session: ClientSession) => Promise<FilteredPage | UncountedPage> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  /** What the decision or the times of a filter select, if it is so little that a walk would pass too many others. */
  async function fewFound(
    { filter, selection, window }: PageOfFilter,
    inScope: number,
    session: ClientSession,
  ): Promise<number | null> {
    const hint = foundIndex(filter);
    if (hint === null) return null;
    const shortest = (window.skip + window.limit) / limits.shortWalk;
    const share = namesTimesOnly(filter) ? Math.min(leastTimed, shortest) : leastTimed;
    const least = Math.max(1, Math.ceil(inScope * share));
    const where = {
      // Of the index by time the entries alone are read.
      ...whereOf(hint === byDetection ? timesOf(filter) : filter, selection),
      severity: { $in: severitiesOf(filter) },
    };
    const found = await inTime((limit) =>
      vulnerabilities.countDocuments(where, { ...limit, session, hint, limit: least }),
    );
    return found < least ? found : null;
  }

  /**
   * A page by first sight of the few that the times of a filter select. Entries of the index tell where it ends:
   * only the vulnerabilities up to there are read.
   */
  async function readFew(
    { filter, selection, order, window }: PageOfFilter,
    session: ClientSession,
  ): Promise<PageEntry[]> {
    const direction = directionOf(order);
    const where = { ...whereOf(filter, selection), severity: { $in: severitiesOf(filter) } };
    const options = { session, hint: byDetection };
    const [last]: { first_seen_at: Date }[] = await findInTime(vulnerabilities, where, {
      ...options,
      skip: window.skip + window.limit - 1,
      limit: 1,
      sort: { first_seen_at: direction },
      projection: { _id: 0, first_seen_at: 1 },
    });
    const end = last && {
      first_seen_at: { [direction === 1 ? '$lte' : '$gte']: last.first_seen_at },
    };
    return findInTime(
      vulnerabilities,
      { ...where, ...end },
      { ...window, ...options, sort: firstSeenOrder(order), projection: { _id: 1 } },
    );
  }

  async function walk(
    query: PageOfFilter,
    { window, inScope }: { window: Window; inScope: number },
    session: ClientSession,
  ): Promise<PageEntry[]> {
    const { filter, order, selection: scope } = query;
    const all = await details.estimatedDocumentCount();
    const total = namesFound(filter) ? inScope * expectedShare : inScope;
    const lookups = lookupsOf({ total, details: all, window });
    return read['along-details']({ filter, order, window, scope, lookups }, session);
  }

  async function alongFirstSeen(
    query: PageOfFilter,
    window: Window,
    session: ClientSession,
  ): Promise<PageEntry[] | null> {
    const { filter, order, selection: scope } = query;
    const page = { filter, order, window, scope, lookups: 0 };
    if (!detailsWhereOf(filter)) return read['along-first-seen'](page, session);
    const selected = await counts.matching.find(filter, {}, session);
    if (selected.length < leastWalked * (await details.estimatedDocumentCount())) return null;
    const among = selected.map(({ _id }) => _id);
    return read['along-first-seen']({ ...page, among }, session);
  }

  return async (query, session) => {
    const { filter, selection, order, window } = query;
    const inScope = inScopeOf(query);
    const scoped = { ...filter, project_id: selection.project_id };
    const most = inScope * (namesFound(filter) ? mostSkipped.byFound : mostSkipped.byDetails);
    const isCounted =
      isFilteredInMemory(scoped, { inScope, ...limits }) ||
      isSelective(filter) ||
      selection.services !== undefined ||
      window.skip > most;
    if (isCounted) return counted(query, session);
    const few = await fewFound(query, inScope, session);
    if (few !== null && order.sort === 'first_seen_at' && namesTimesOnly(filter))
      return { entries: await readFew(query, session), total: few };
    if (few !== null) return counted(query, session);
    const further = { ...window, limit: window.limit + 1 };
    const entries =
      order.sort === 'first_seen_at'
        ? await alongFirstSeen(query, further, session)
        : await walk(query, { window: further, inScope }, session);
    if (entries === null) return counted(query, session);
    const has_more = entries.length > window.limit;
    return { entries: entries.slice(0, window.limit), total: null, has_more };
  };
}
