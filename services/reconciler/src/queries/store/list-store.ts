import { severities, type ListCursor, type Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import {
  listedFields,
  type DetailsDocument,
  type TrackedVulnerabilityDocument,
  type VulnerabilityListItem,
} from '../../tracking/store/documents';
import type { DeletionStore } from '../../deletion/store/deletion-store';
import {
  countKey,
  sumOfCounts,
  type CountedStatus,
  type StatusCounts,
} from '../../tracking/store/count-keys';
import { aliasKeyOf, isNarrow, severitiesOf, servicesOf, type StateFilter } from './list-filter';
import {
  lookupsOf,
  planOf,
  sortedInMemory as usualSortedInMemory,
  type ListOrder,
  type Window,
} from './list-plan';
import { createFilteredCounts } from './filtered-counts';
import { createFilteredPages } from './filtered-pages';
import { namesHidden, notHidden } from './list-where';
import { createPageReader } from './list-pages';
import { createListScopes } from './list-scopes';
import { createVersionPoints, type VersionPoint } from './version-points';
import type { SbomVersion } from '../../tracking/domain/types';

/** Statuses of vulnerabilities in the newest scanned SBOM. */
const present = ['open', 'accepted'] as const;

/** A vulnerability of a list. */
export type ListedVulnerability = VulnerabilityListItem & {
  status: CountedStatus;
} & Pick<TrackedVulnerabilityDocument, 'presence'>;

/** The same with the SBOM that introduced it and the one that fixed it. */
export interface StateItem {
  vulnerability: ListedVulnerability;
  introduced_in: SbomVersion;
  fixed_in: SbomVersion | null;
}

export type ListStore = ReturnType<typeof createListStore>;

/** How long the estimated number of details is used. */
const estimateMs = 60_000;

/**
 * Lists of vulnerabilities in projects and services that are not deleted. `statuses: ['open']` is the active
 * list.
 *
 * @param options `sortedInMemory`: up to this many vulnerabilities are sorted in memory
 */
export function createListStore(
  database: Database,
  deletions: Pick<DeletionStore, 'hidden'>,
  { sortedInMemory } = { sortedInMemory: usualSortedInMemory },
) {
  const { db, client } = database;
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const { select } = createListScopes(database, deletions);
  const points = createVersionPoints(db);
  const read = createPageReader(db);
  const counts = createFilteredCounts(db);
  const filteredPage = createFilteredPages(db, counts, { sortedInMemory });
  let estimate = { at: -estimateMs, count: Promise.resolve(0) };

  /** Only the choice of a plan depends on it. */
  function detailsCount(): Promise<number> {
    const now = performance.now();
    if (now - estimate.at >= estimateMs)
      estimate = { at: now, count: details.estimatedDocumentCount().catch(() => 0) };
    return estimate.count;
  }

  async function readItems(
    ids: readonly string[],
    session: ClientSession,
  ): Promise<ListedVulnerability[]> {
    if (ids.length === 0) return [];
    const fields = Object.fromEntries([...listedFields, 'presence'].map((field) => [field, 1]));
    const found = await vulnerabilities
      .find({ _id: { $in: [...ids] } }, { session })
      .project<ListedVulnerability>(fields)
      .toArray();
    const byId = new Map(found.map((vulnerability) => [vulnerability._id, vulnerability]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async function readPage(
    filter: StateFilter,
    order: ListOrder,
    { window, session }: { window: Window; session: ClientSession },
  ): Promise<{ items: ListedVulnerability[]; total: number }> {
    const selection = await select(filter, session);
    if (!selection) return { items: [], total: 0 };
    if (isNarrow(filter)) {
      const { ids, total } = await filteredPage({ filter, selection, order, window }, session);
      return { items: await readItems(ids, session), total };
    }
    const total = sumOfCounts(selection.counts, filter.statuses, severitiesOf(filter));
    // The first page does not rely on the counts: a wrong count must not hide a vulnerability.
    if (window.skip > 0 && window.skip >= total) return { items: [], total };
    const inScope = sumOfCounts(selection.counts, filter.statuses, severities);
    const size = {
      total: servicesOf(filter) ? inScope : total,
      details: await detailsCount(),
      window,
      sortedInMemory,
    };
    const plan = planOf(filter, order, size);
    const query = { filter, order, window, scope: selection, lookups: lookupsOf(size) };
    const ids = await read[plan](query, session);
    return { items: await readItems(ids, session), total };
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
    /** A page and the total, from one snapshot. */
    page: (
      filter: StateFilter,
      order: ListOrder,
      window: Window,
    ): Promise<{ items: ListedVulnerability[]; total: number }> =>
      withSnapshot(client, (session) => readPage(filter, order, { window, session })),

    /** The same, with the SBOM versions of each vulnerability. */
    pageWithVersions: (
      filter: StateFilter,
      order: ListOrder,
      window: Window,
    ): Promise<{ items: StateItem[]; total: number }> =>
      withSnapshot(client, async (session) => {
        const { items, total } = await readPage(filter, order, { window, session });
        return { items: await withVersions(items, session), total };
      }),

    /** Vulnerabilities of the newest scanned SBOMs with a current or former id, by project, then by age. */
    async affected(
      filter: { identity: string; project_id?: string | undefined },
      window: Window & { after?: ListCursor | null | undefined },
    ): Promise<{
      items: (TrackedVulnerabilityDocument & { status: (typeof present)[number] })[];
      total: number;
    }> {
      const hidden = await deletions.hidden();
      if (namesHidden(filter, hidden)) return { items: [], total: 0 };
      const naming = await details
        .find({ alias_keys: aliasKeyOf(filter.identity) })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      const named = { $in: naming.map(({ _id }) => _id) };
      const where: Filter<TrackedVulnerabilityDocument> = {
        ...notHidden(hidden),
        $or: [{ details_id: named }, { former_ids: filter.identity }],
        status: { $in: [...present] },
        ...(filter.project_id ? { project_id: filter.project_id } : {}),
      };
      const [items, total] = await Promise.all([
        vulnerabilities
          .find({ $and: [where, afterPosition(window.after)] })
          .sort({ project_id: 1, _id: 1 })
          .allowDiskUse(true)
          .skip(window.skip)
          .limit(window.limit)
          .toArray(),
        vulnerabilities.countDocuments(where),
      ]);
      return {
        items: items as (TrackedVulnerabilityDocument & { status: (typeof present)[number] })[],
        total,
      };
    },

    /** What a page with this filter counts, by severity, from one snapshot. */
    countBySeverity: (filter: StateFilter): Promise<Record<Severity | 'total', number>> =>
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

/** What the counters say of the statuses and severities of a filter. */
function countedBySeverity(filter: StateFilter, counts: StatusCounts): Record<Severity, number> {
  const named = new Set(severitiesOf(filter));
  const counted = severities.map((severity) => {
    const keys = filter.statuses.map((status) => countKey(status, severity));
    const count = keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
    return [severity, named.has(severity) ? count : 0] as const;
  });
  return Object.fromEntries(counted) as Record<Severity, number>;
}

/** The condition on vulnerabilities after a position, by project, then by id. */
function afterPosition(after: ListCursor | null | undefined): Filter<TrackedVulnerabilityDocument> {
  if (!after) return {};
  const { at: project_id, id } = after;
  return { $or: [{ project_id: { $gt: project_id } }, { project_id, _id: { $gt: id } }] };
}

function beginOf({ service_id, presence }: ListedVulnerability): VersionPoint {
  return { service_id, seq: presence[0]?.from ?? 0 };
}

/** The last SBOM that contains it; null while that is the newest one. */
function endOf({ service_id, presence }: ListedVulnerability): VersionPoint | null {
  const seq = presence.at(-1)?.to ?? null;
  return seq === null ? null : { service_id, seq };
}
