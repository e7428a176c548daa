import { severities, type Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import type { DetailsDocument } from '../../tracking/store/documents';
import type { DeletionStore } from '../../deletion/ports';
import { sumOfCounts, type StatusCounts } from '../../tracking/store/count-keys';
import { isNarrow, severitiesOf, servicesOf, type StateFilter } from './list-filter';
import {
  listLimits,
  lookupsOf,
  planOf,
  type ListLimits,
  type ListOrder,
  type Window,
} from './list-plan';
import { createFilteredCounts } from './filtered-counts';
import { createFilteredPages } from './filtered-pages';
import { createUncountedPages } from './uncounted-pages';
import { createPageReader } from './list-pages';
import { createScopeReader } from './scope-reader';
import { createListedReader, type ListedVulnerability } from './listed-vulnerabilities';
import { createListScopes, type Selection } from './list-scopes';
import { createVersionPoints, type VersionPoint } from './version-points';
import type { SbomVersion } from '../../tracking/domain/types';
import { noCounts } from '../domain/group-vulnerabilities';

/** A part of a list; `isCounted: false`: its total is left out where a filter would have to be counted. */
export type PageWindow = Window & { isCounted?: boolean };

/** A page; total null: it was not counted. */
export interface Page<Item> {
  items: Item[];
  total: number | null;
  has_more: boolean;
  /** The newest scanned SBOMs of the services that the filter names; absent: it names none. */
  heads?: Selection['heads'];
}

/** The same with the SBOM that introduced it and the one that fixed it. */
export interface StateItem {
  vulnerability: ListedVulnerability;
  introduced_in: SbomVersion;
  fixed_in: SbomVersion | null;
}

/**
 * Lists of vulnerabilities in projects and services that are not deleted. `statuses: ['open']` is the active
 * list. Reads throw ExpiryDueError if an acceptance in their scope has to expire before.
 */
export interface ListStore {
  /** A page and the total, from one snapshot. */
  page(
    filter: StateFilter,
    order: ListOrder,
    window: Window,
  ): Promise<Page<ListedVulnerability> & { total: number }>;
  /** The same, with the SBOM versions of each vulnerability. */
  pageWithVersions(
    filter: StateFilter,
    order: ListOrder,
    window: PageWindow,
  ): Promise<Page<StateItem>>;
  /** What a page with this filter counts, by severity, from one snapshot. */
  countBySeverity(filter: StateFilter): Promise<Record<Severity | 'total', number>>;
}

/** How long the estimated number of details is used. */
const estimateMs = 60_000;

export function createListStore(
  database: Database,
  deletions: Pick<DeletionStore, 'hiddenWith'>,
  limits: ListLimits = listLimits,
): ListStore {
  const { db, client } = database;
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const { select } = createListScopes(database, deletions);
  const points = createVersionPoints(db);
  const readScope = createScopeReader(db);
  const read = createPageReader(db, readScope);
  const readListed = createListedReader(db);
  const counts = createFilteredCounts(db);
  const filteredPage = createFilteredPages(db, { counts, read, readScope }, limits);
  const uncountedPage = createUncountedPages(db, { counts, counted: filteredPage, read }, limits);
  let estimate = { at: -estimateMs, count: Promise.resolve(0) };

  /** Only the choice of a plan depends on it. */
  function detailsCount(): Promise<number> {
    const now = performance.now();
    if (now - estimate.at >= estimateMs)
      estimate = { at: now, count: details.estimatedDocumentCount().catch(() => 0) };
    return estimate.count;
  }

  async function readPage(
    filter: StateFilter,
    order: ListOrder,
    { window, session }: { window: PageWindow; session: ClientSession },
  ): Promise<Page<ListedVulnerability>> {
    const selection = await select(filter, session);
    if (!selection) return nothing;
    const { heads } = selection;
    const { isCounted = true, ...part } = window;
    if (isNarrow(filter)) {
      const readFiltered = isCounted ? filteredPage : uncountedPage;
      const found = await readFiltered({ filter, selection, order, window: part }, session);
      const items = await readListed(found.entries, session);
      const { total } = found;
      return {
        items,
        total,
        has_more: total === null ? found.has_more : isMore(window, total),
        heads,
      };
    }
    const total = sumOfCounts(selection.counts, filter.statuses, severitiesOf(filter));
    // The first page does not rely on the counts: a wrong count must not hide a vulnerability.
    if (window.skip > 0 && window.skip >= total) return { ...nothing, total };
    const inScope = sumOfCounts(selection.counts, filter.statuses, severities);
    const size = {
      total: servicesOf(filter) ? inScope : total,
      details: await detailsCount(),
      window: part,
      sortedInMemory: limits.sortedInMemory,
    };
    const plan = planOf(filter, order, size);
    const query = { filter, order, window: part, scope: selection, lookups: lookupsOf(size) };
    const items = await readListed(await read[plan](query, session), session);
    return { items, total, has_more: isMore(window, total), heads };
  }

  async function withVersions(
    found: readonly ListedVulnerability[],
    session: ClientSession,
  ): Promise<StateItem[]> {
    if (found.length === 0) return [];
    const begun = await points.at(found.map(beginOf), session);
    const ended = await points.after(
      found.flatMap((vulnerability) => endOf(vulnerability) ?? []),
      session,
    );
    return found.map((vulnerability) => {
      const end = endOf(vulnerability);
      const introduced_in = begun(beginOf(vulnerability));
      const fixed_in = end && ended(end);
      if (!introduced_in || fixed_in === undefined)
        throw new Error(`The vulnerability ${vulnerability._id} does not match the SBOM versions.`);
      return { vulnerability, introduced_in, fixed_in };
    });
  }

  return {
    page: (filter, order, window) =>
      withSnapshot(client, async (session) => {
        const page = await readPage(filter, order, { window, session });
        return { ...page, total: page.total ?? 0 };
      }),

    pageWithVersions: (filter, order, window) =>
      withSnapshot(client, async (session) => {
        const { items, ...page } = await readPage(filter, order, { window, session });
        return { items: await withVersions(items, session), ...page };
      }),

    countBySeverity: (filter) =>
      withSnapshot(client, async (session) => {
        const selection = await select(filter, session);
        const counted =
          selection && isNarrow(filter)
            ? await counts.bySeverity({ filter, selection }, session)
            : countedBySeverity(filter, selection?.counts ?? {});
        const total = severities.reduce((sum, severity) => sum + counted[severity], 0);
        return { ...counted, total };
      }),
  };
}

const nothing = { items: [], total: 0, has_more: false };

function isMore({ skip, limit }: Window, total: number): boolean {
  return skip + limit < total;
}

/** What the counters say of the statuses and severities of a filter. */
function countedBySeverity(filter: StateFilter, counts: StatusCounts): Record<Severity, number> {
  const counted = noCounts();
  for (const severity of severitiesOf(filter))
    counted[severity] = sumOfCounts(counts, filter.statuses, [severity]);
  return counted;
}

function beginOf({ service_id, presence }: ListedVulnerability): VersionPoint {
  return { service_id, seq: presence[0]?.from ?? 0 };
}

/** The last SBOM that contains it; null while that is the newest one. */
function endOf({ service_id, presence }: ListedVulnerability): VersionPoint | null {
  const seq = presence.at(-1)?.to ?? null;
  return seq === null ? null : { service_id, seq };
}
