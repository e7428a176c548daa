import { severities, type Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import {
  listedFields,
  type DetailsDocument,
  type TrackedVulnerabilityDocument,
  type VulnerabilityListItem,
} from '../../tracking/store/documents';
import type { DeletionStore } from '../../deletion/store/deletion-store';
import { byDetails, byService } from '../../tracking/store/list-indexes';
import { sumOfCounts, type CountedStatus } from '../../tracking/store/count-keys';
import {
  lookupsOf,
  namesHidden,
  notHidden,
  planOf,
  severitiesOf,
  sortedInMemory as usualSortedInMemory,
  whereOf,
  type ListFilter,
  type StateFilter,
  type ListOrder,
  type Window,
} from './list-plan';
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
  const { select, detailsNaming } = createListScopes(database, deletions);
  const points = createVersionPoints(db);
  const read = createPageReader(db);
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
    const detailsIds = await detailsNaming(filter, session);
    const where = whereOf({ ...filter, project_id: selection.project_id }, selection.hidden);
    const total = detailsIds
      ? await vulnerabilities.countDocuments(
          { ...where, details_id: { $in: detailsIds } },
          { session, hint: filter.service_id ? byService : byDetails },
        )
      : sumOfCounts(selection.counts, filter.statuses, severitiesOf(filter));
    // The first page does not rely on the counts: a wrong count must not hide a vulnerability.
    if (window.skip > 0 && window.skip >= total) return { items: [], total };
    const inScope = sumOfCounts(selection.counts, filter.statuses, severities);
    const size = {
      total: filter.service_id || filter.cve_id ? inScope : total,
      details: await detailsCount(),
      window,
      sortedInMemory,
    };
    const plan = planOf(filter, order, size);
    const query = { filter, order, window, where, detailsIds, lookups: lookupsOf(size) };
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
      window: Window,
    ): Promise<{
      items: (TrackedVulnerabilityDocument & { status: (typeof present)[number] })[];
      total: number;
    }> {
      const hidden = await deletions.hidden();
      if (namesHidden(filter, hidden)) return { items: [], total: 0 };
      const detailsIds = (await detailsNaming({ cve_id: filter.identity })) ?? [];
      const where: Filter<TrackedVulnerabilityDocument> = {
        ...notHidden(hidden),
        $or: [{ details_id: { $in: detailsIds } }, { former_ids: filter.identity }],
        status: { $in: [...present] },
        ...(filter.project_id ? { project_id: filter.project_id } : {}),
      };
      const [items, total] = await Promise.all([
        vulnerabilities
          .find(where)
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

    /** The open vulnerabilities by severity, from one snapshot. */
    countBySeverity: (
      filter: Pick<ListFilter, 'project_id' | 'service_id'>,
    ): Promise<Record<Severity | 'total', number>> =>
      withSnapshot(client, async (session) => {
        const counts = (await select(filter, session))?.counts ?? {};
        const open = severities.map((severity) => [severity, counts[severity] ?? 0] as const);
        const total = sumOfCounts(counts, ['open'], severities);
        return { ...(Object.fromEntries(open) as Record<Severity, number>), total };
      }),
  };
}

function beginOf({ service_id, presence }: ListedVulnerability): VersionPoint {
  return { service_id, seq: presence[0]?.from ?? 0 };
}

/** The last SBOM that contains it; null while that is the newest one. */
function endOf({ service_id, presence }: ListedVulnerability): VersionPoint | null {
  const seq = presence.at(-1)?.to ?? null;
  return seq === null ? null : { service_id, seq };
}
