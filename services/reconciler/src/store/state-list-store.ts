import {
  maxSortedVulnerabilities,
  vulnerabilityStatuses,
  type VulnerabilityStatus,
} from '@bomtrail/messages';
import { withSnapshot, type Database, type IndexPlan } from '@bomtrail/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import type { LogEntry } from '../domain/types';
import { shownFields, type RowDocument, type ShownRow } from './documents';
import type { ForgetStore } from './forget-store';
import { everyValue, type IndexKey } from './list-indexes';
import {
  askedSeverities,
  asksForHidden,
  notHidden,
  stretchesOver,
  type ListFilter,
  type ListOrder,
} from './list-plan';
import type { ListStore } from './list-store';
import { createLogPoints, type LogPoint } from './log-points';
import { rowsOfPage, type Window } from './walk-stretches';

const byScore: IndexKey = { status: 1, severity: 1, score_sort: -1, _id: 1 };
const byProjectAndScore: IndexKey = { project_id: 1, ...byScore };
/** For every other order: sorted in memory, without reading the rows. */
const withAllValues: IndexKey = { status: 1, project_id: 1, ...everyValue, _id: 1 };
/** Those that the ledgers need, too. */
const ofLine: IndexKey = { service_id: 1, package_key: 1 };
const ofAlias: IndexKey = { identity: 1, project_id: 1 };

/**
 * The first two for the order by score over all states: with state and severity as lists of values
 * MongoDB merges their stretches, each of which is in order, whichever of them are asked for.
 */
export const stateListIndexes: IndexPlan = {
  tracked_vulnerabilities: [
    { key: byScore },
    { key: byProjectAndScore },
    { key: withAllValues, name: 'states_all_values' },
  ],
};

const stateFields = [...shownFields, 'runs'] as const;
type StateRow = ShownRow & Pick<RowDocument, 'runs'> & { status: VulnerabilityStatus };

/** A row that some SBOM holds, with the SBOM that brought it and the one in which it was gone. */
export interface StateItem {
  row: StateRow;
  introduced_in: LogEntry;
  fixed_in: LogEntry | null;
}

export interface StateFilter extends ListFilter {
  statuses: readonly VulnerabilityStatus[];
}

/** One page; `sortable` false: too many match for this order. */
export interface StatePage {
  items: StateItem[];
  total: number;
  sortable: boolean;
}

export type StateListStore = ReturnType<typeof createStateListStore>;

/**
 * Rows in any state, of projects and services that are not deleted.
 *
 * @param options `sortedInMemory`: so many rows at most
 */
export function createStateListStore(
  { db, client }: Database,
  others: { forgotten: Pick<ForgetStore, 'hidden'>; lists: Pick<ListStore, 'count'> },
  { sortedInMemory } = { sortedInMemory: maxSortedVulnerabilities },
) {
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const points = createLogPoints(db);

  /** Open ones are counted already; the others by an index. */
  async function totalOf(
    filter: StateFilter,
    where: Filter<RowDocument>,
    session: ClientSession,
  ): Promise<number> {
    const counted = filter.statuses.filter((status) => status !== 'open');
    const open = filter.statuses.includes('open') ? await others.lists.count(filter, session) : 0;
    if (counted.length === 0) return open;
    const rest = { ...where, status: { $in: counted } };
    return (
      open +
      (await rows.countDocuments(rest, { session, hint: indexOf(filter, walkIndexOf(filter)) }))
    );
  }

  async function itemsOf(found: readonly StateRow[], session: ClientSession): Promise<StateItem[]> {
    if (found.length === 0) return [];
    const begun = await points.at(found.map(beginOf), session);
    const ended = await points.after(
      found.flatMap((row) => endOf(row) ?? []),
      session,
    );
    return found.map((row) => {
      const end = endOf(row);
      const introduced_in = begun(beginOf(row));
      const fixed_in = end && ended(end);
      if (!introduced_in || fixed_in === undefined)
        throw new Error(`Row ${row._id} does not fit its log.`);
      return { row, introduced_in, fixed_in };
    });
  }

  return {
    /**
     * A page and the total, of one moment. By score the rows are walked through in order; what is of
     * one service or one id, and every other order, is sorted in memory up to
     * `maxSortedVulnerabilities` rows.
     */
    page: (filter: StateFilter, order: ListOrder, window: Window): Promise<StatePage> =>
      withSnapshot(client, async (session) => {
        const { project_id } = filter;
        const hidden = await others.forgotten.hidden({ project_id, session });
        if (asksForHidden(filter, hidden)) return { items: [], total: 0, sortable: true };
        const where = { ...notHidden(hidden), ...whereOf(filter) };
        const total = await totalOf(filter, where, session);
        if (window.skip >= total) return { items: [], total, sortable: true };
        const isFew = total <= sortedInMemory;
        const isNamed = isFew && (filter.service_id ?? filter.cve_id) !== undefined;
        const isWalk = order.sort === 'cvss_score' && !isNamed;
        if (!isWalk && !isFew) return { items: [], total, sortable: false };
        const index = isWalk ? walkIndexOf(filter) : indexOf(filter, withAllValues);
        const stretches = stretchesOver(filter, order, { where, indexOf: () => index, isWalk });
        const limit = Math.min(window.limit, total - window.skip);
        const page = { window: { ...window, limit }, session, fields: stateFields };
        const found = await rowsOfPage<StateRow>(rows, stretches, page);
        return { items: await itemsOf(found, session), total, sortable: true };
      }),
  };
}

function whereOf(filter: StateFilter): Filter<RowDocument> {
  const statuses = vulnerabilityStatuses.filter((status) => filter.statuses.includes(status));
  const where: Filter<RowDocument> = {
    status: { $in: statuses },
    severity: { $in: askedSeverities(filter) },
  };
  if (filter.project_id) where.project_id = filter.project_id;
  if (filter.service_id) where.service_id = filter.service_id;
  if (filter.cve_id) {
    const id = filter.cve_id.trim().toUpperCase();
    // What a row stood for once has an index, what it shows now decides.
    where.identity = id;
    where.alias_keys = id;
  }
  return where;
}

/** The rows of one service and of one id are few: they are looked up. */
function indexOf(filter: StateFilter, otherwise: IndexKey): IndexKey {
  if (filter.service_id) return ofLine;
  return filter.cve_id ? ofAlias : otherwise;
}

function walkIndexOf({ project_id }: StateFilter): IndexKey {
  return project_id ? byProjectAndScore : byScore;
}

function beginOf({ service_id, runs }: StateRow): LogPoint {
  return { service_id, seq: runs[0]?.from ?? 0 };
}

/** The last SBOM that holds it; null while that is the newest one. */
function endOf({ service_id, runs }: StateRow): LogPoint | null {
  const seq = runs.at(-1)?.to ?? null;
  return seq === null ? null : { service_id, seq };
}
