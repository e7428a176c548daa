import {
  maxSortedVulnerabilities,
  vulnerabilityStatuses,
  type VulnerabilityStatus,
} from '@bomtrail/messages';
import { withSnapshot, type Database, type IndexPlan } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import type { SbomVersion } from '../../tracking/domain/types';
import {
  snapshotFields,
  type TrackedVulnerabilityDocument,
  type VulnerabilityListItem,
} from '../../tracking/store/documents';
import type { DeletionStore } from '../../deletion/store/deletion-store';
import { everyValue, type IndexKey } from '../../tracking/store/list-indexes';
import {
  severitiesOf,
  namesHidden,
  notHidden,
  rangesOver,
  type ListFilter,
  type ListOrder,
} from './list-plan';
import type { ListStore } from './list-store';
import { createVersionPoints, type VersionPoint } from './version-points';
import { vulnerabilitiesOfPage, type Window } from './walk-ranges';

const byScore: IndexKey = { status: 1, severity: 1, score_sort: -1, _id: 1 };
const byProjectAndScore: IndexKey = { project_id: 1, ...byScore };
/** For all other orders: sorted in memory from the index. */
const withAllValues: IndexKey = { status: 1, project_id: 1, ...everyValue, _id: 1 };
/** Shared with the service state store. */
const ofService: IndexKey = { service_id: 1, package_key: 1 };
const ofAlias: IndexKey = { identity: 1, project_id: 1 };

/**
 * The first two serve the order by score over all statuses: status and severity are lists of values, whose
 * sorted ranges MongoDB merges.
 */
export const stateListIndexes: IndexPlan = {
  tracked_vulnerabilities: [
    { key: byScore },
    { key: byProjectAndScore },
    { key: withAllValues, name: 'states_all_values' },
  ],
};

const stateFields = [...snapshotFields, 'presence'] as const;
type StateVulnerability = VulnerabilityListItem &
  Pick<TrackedVulnerabilityDocument, 'presence'> & { status: VulnerabilityStatus };

/** A vulnerability with the SBOM that introduced it and the one that fixed it. */
export interface StateItem {
  vulnerability: StateVulnerability;
  introduced_in: SbomVersion;
  fixed_in: SbomVersion | null;
}

export interface StateFilter extends ListFilter {
  statuses: readonly VulnerabilityStatus[];
}

/** A page; `sortable` false: too many entries for this order. */
export interface StatePage {
  items: StateItem[];
  total: number;
  sortable: boolean;
}

export type StateListStore = ReturnType<typeof createStateListStore>;

/**
 * Lists of vulnerabilities in any status, in projects and services that are not deleted.
 *
 * @param options `sortedInMemory`: maximum number of entries sorted in memory
 */
export function createStateListStore(
  { db, client }: Database,
  others: { deletions: Pick<DeletionStore, 'hidden'>; lists: Pick<ListStore, 'count'> },
  { sortedInMemory } = { sortedInMemory: maxSortedVulnerabilities },
) {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const points = createVersionPoints(db);

  /** Open ones are counted already; the others are counted by an index. */
  async function totalOf(
    filter: StateFilter,
    where: Filter<TrackedVulnerabilityDocument>,
    session: ClientSession,
  ): Promise<number> {
    const counted = filter.statuses.filter((status) => status !== 'open');
    const open = filter.statuses.includes('open') ? await others.lists.count(filter, session) : 0;
    if (counted.length === 0) return open;
    const rest = { ...where, status: { $in: counted } };
    return (
      open +
      (await vulnerabilities.countDocuments(rest, {
        session,
        hint: indexOf(filter, walkIndexOf(filter)),
      }))
    );
  }

  async function itemsOf(
    found: readonly StateVulnerability[],
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
    /**
     * A page and the total, from one snapshot. The order by score walks along an index; lists of one service
     * or id, and all other orders, are sorted in memory up to `maxSortedVulnerabilities` entries.
     */
    page: (filter: StateFilter, order: ListOrder, window: Window): Promise<StatePage> =>
      withSnapshot(client, async (session) => {
        const { project_id } = filter;
        const hidden = await others.deletions.hidden({ project_id, session });
        if (namesHidden(filter, hidden)) return { items: [], total: 0, sortable: true };
        const where = { ...notHidden(hidden), ...whereOf(filter) };
        const total = await totalOf(filter, where, session);
        if (window.skip >= total) return { items: [], total, sortable: true };
        const isFew = total <= sortedInMemory;
        const isNamed = isFew && (filter.service_id ?? filter.cve_id) !== undefined;
        const isWalk = order.sort === 'cvss_score' && !isNamed;
        if (!isWalk && !isFew) return { items: [], total, sortable: false };
        const index = isWalk ? walkIndexOf(filter) : indexOf(filter, withAllValues);
        const ranges = rangesOver(filter, order, { where, indexOf: () => index, isWalk });
        const limit = Math.min(window.limit, total - window.skip);
        const page = { window: { ...window, limit }, session, fields: stateFields };
        const found = await vulnerabilitiesOfPage<StateVulnerability>(
          vulnerabilities,
          ranges,
          page,
        );
        return { items: await itemsOf(found, session), total, sortable: true };
      }),
  };
}

function whereOf(filter: StateFilter): Filter<TrackedVulnerabilityDocument> {
  const statuses = vulnerabilityStatuses.filter((status) => filter.statuses.includes(status));
  const where: Filter<TrackedVulnerabilityDocument> = {
    status: { $in: statuses },
    severity: { $in: severitiesOf(filter) },
  };
  if (filter.project_id) where.project_id = filter.project_id;
  if (filter.service_id) where.service_id = filter.service_id;
  if (filter.cve_id) {
    const id = filter.cve_id.trim().toUpperCase();
    // Former aliases are indexed; the current ones decide.
    where.identity = id;
    where.alias_keys = id;
  }
  return where;
}

/** A service or an id has few vulnerabilities: look them up. */
function indexOf(filter: StateFilter, otherwise: IndexKey): IndexKey {
  if (filter.service_id) return ofService;
  return filter.cve_id ? ofAlias : otherwise;
}

function walkIndexOf({ project_id }: StateFilter): IndexKey {
  return project_id ? byProjectAndScore : byScore;
}

function beginOf({ service_id, presence }: StateVulnerability): VersionPoint {
  return { service_id, seq: presence[0]?.from ?? 0 };
}

/** The last SBOM that contains it; null while that is the newest one. */
function endOf({ service_id, presence }: StateVulnerability): VersionPoint | null {
  const seq = presence.at(-1)?.to ?? null;
  return seq === null ? null : { service_id, seq };
}
