import { severities, type Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import { shownFields, type LedgerDocument, type RowDocument, type ShownRow } from './documents';
import type { ForgetStore, Hidden } from './forget-store';
import { listedByAlias } from './list-indexes';
import {
  accessOf,
  askedSeverities,
  asksForHidden,
  notHidden,
  rowsSortedInMemory,
  scopeOf,
  stretchesOf,
  type ListFilter,
  type ListOrder,
} from './list-plan';
import { addTo, createListedCounts, type ListedCounts } from './listed-counts';
import { rowsOfPage, type Window } from './walk-stretches';

/** The states of what is in the newest scanned SBOM. */
const present = ['open', 'accepted'] as const;
type PresentRow = RowDocument & { status: (typeof present)[number] };

/** What a filter chooses, as it is at one moment. */
interface Chosen {
  hidden: Hidden;
  /** Of the service that is asked for. */
  lineRows: number;
  /** The one that is asked for, or the service's. */
  project_id: string | undefined;
  /** Without the filter by id. */
  counts: () => Promise<ListedCounts>;
}

export type ListStore = ReturnType<typeof createListStore>;

/**
 * The active list: rows that are open and not accepted, of projects and services that are not deleted.
 *
 * @param options the rows of one service up to which they are sorted in memory
 */
export function createListStore(
  { db, client }: Database,
  forgotten: Pick<ForgetStore, 'hidden'>,
  { sortedInMemory } = { sortedInMemory: rowsSortedInMemory },
) {
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const counted = createListedCounts(db);

  /** Null: the filter names what does not exist, or no longer. */
  async function choose(filter: ListFilter, session: ClientSession): Promise<Chosen | null> {
    const { project_id, service_id } = filter;
    const hidden = await forgotten.hidden({ project_id, session });
    if (asksForHidden(filter, hidden)) return null;
    if (service_id !== undefined) {
      const ledger = await ledgers.findOne({ _id: service_id }, { session });
      if (!ledger || ledger.forgotten || hidden.projects.includes(ledger.project_id)) return null;
      if (project_id !== undefined && ledger.project_id !== project_id) return null;
      const counts = ledger.listed ?? {};
      return {
        ...{ hidden, counts: () => Promise.resolve(counts), lineRows: sumOf(counts, severities) },
        project_id: ledger.project_id,
      };
    }
    const counts = (): Promise<ListedCounts> => countsOf(project_id, hidden, session);
    return { hidden, counts, lineRows: 0, project_id };
  }

  /** The listed rows of a project, or of all that is not deleted. */
  async function countsOf(
    project_id: string | undefined,
    hidden: Hidden,
    session: ClientSession,
  ): Promise<ListedCounts> {
    if (project_id !== undefined) {
      return counted.sumOver({ project_id, forgotten: { $exists: false } }, session);
    }
    const counts = await counted.all(session);
    // Deleted ones are in the sum until they are taken out of it, in batches.
    if (hidden.projects.length > 0 || hidden.lines.length > 0) {
      const deleted: Filter<LedgerDocument> = {
        $or: [{ project_id: { $in: hidden.projects } }, { _id: { $in: hidden.lines } }],
      };
      addTo(counts, await counted.sumOver(deleted, session), -1);
    }
    return counts;
  }

  async function totalOf(
    filter: ListFilter,
    chosen: Chosen,
    session: ClientSession,
  ): Promise<number> {
    if (!filter.cve_id) return sumOf(await chosen.counts(), askedSeverities(filter));
    const where = {
      ...{ listed: true, severity: { $in: askedSeverities(filter) } },
      // With the project beside it, the index leads to the rows of a service too.
      ...scopeOf({ ...filter, project_id: chosen.project_id }, 'by-alias', chosen.hidden),
    };
    return rows.countDocuments(where, { session, hint: listedByAlias });
  }

  return {
    /** A page and the total, of one moment. */
    page: (
      filter: ListFilter,
      order: ListOrder,
      window: Window,
    ): Promise<{ items: ShownRow[]; total: number }> =>
      withSnapshot(client, async (session) => {
        const chosen = await choose(filter, session);
        if (!chosen) return { items: [], total: 0 };
        const access = accessOf(filter, { lineRows: chosen.lineRows, sortedInMemory });
        const scope = scopeOf(filter, access, chosen.hidden);
        const stretches = stretchesOf(filter, order, { access, scope });
        const read = (): Promise<ShownRow[]> =>
          rowsOfPage<ShownRow>(rows, stretches, { window, session, fields: shownFields });
        if (window.skip === 0) {
          // The first page never relies on the counters: a row must not be hidden by a wrong one.
          const [items, total] = await Promise.all([read(), totalOf(filter, chosen, session)]);
          return { items, total };
        }
        const total = await totalOf(filter, chosen, session);
        return { items: window.skip < total ? await read() : [], total };
      }),

    /** How many rows a filter lists, at the moment of a session. */
    async count(filter: ListFilter, session: ClientSession): Promise<number> {
      const chosen = await choose(filter, session);
      return chosen ? totalOf(filter, chosen, session) : 0;
    },

    /** Rows of the newest scanned SBOMs that stand for an id, by project, then by age. */
    async affected(
      filter: { identity: string; project_id?: string | undefined },
      window: { skip: number; limit: number },
    ) {
      const hidden = await forgotten.hidden();
      if (asksForHidden(filter, hidden)) return { items: [], total: 0 };
      const where: Filter<RowDocument> = {
        ...notHidden(hidden),
        identity: filter.identity,
        status: { $in: [...present] },
        ...(filter.project_id ? { project_id: filter.project_id } : {}),
      };
      const [items, total] = await Promise.all([
        rows
          .find(where)
          .sort({ project_id: 1, _id: 1 })
          .allowDiskUse(true)
          .skip(window.skip)
          .limit(window.limit)
          .toArray(),
        rows.countDocuments(where),
      ]);
      return { items: items as PresentRow[], total };
    },

    /** The listed rows by severity, at one moment. */
    countBySeverity: (
      filter: Pick<ListFilter, 'project_id' | 'service_id'>,
    ): Promise<Record<Severity | 'total', number>> =>
      withSnapshot(client, async (session) => {
        const counts = (await (await choose(filter, session))?.counts()) ?? {};
        const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
        return { ...none, ...counts, total: sumOf(counts, severities) };
      }),
  };
}

function sumOf(counts: ListedCounts, of: readonly Severity[]): number {
  return of.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);
}
