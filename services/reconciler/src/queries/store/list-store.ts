import { severities, type Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import {
  snapshotFields,
  type ServiceStateDocument,
  type TrackedVulnerabilityDocument,
  type VulnerabilityListItem,
} from '../../tracking/store/documents';
import type { DeletionStore, Hidden } from '../../deletion/store/deletion-store';
import { openByAlias } from '../../tracking/store/list-indexes';
import {
  accessOf,
  severitiesOf,
  namesHidden,
  notHidden,
  vulnerabilitiesSortedInMemory,
  scopeOf,
  rangesOf,
  type ListFilter,
  type ListOrder,
} from './list-plan';
import { addTo, createOpenCounts, type OpenCounts } from '../../tracking/store/open-counts';
import { vulnerabilitiesOfPage, type Window } from './walk-ranges';

/** Statuses of vulnerabilities in the newest scanned SBOM. */
const present = ['open', 'accepted'] as const;
type PresentVulnerability = TrackedVulnerabilityDocument & { status: (typeof present)[number] };

/** What a filter selects, in one snapshot. */
interface Selection {
  hidden: Hidden;
  /** Number of open vulnerabilities of the requested service. */
  serviceVulnerabilities: number;
  /** The requested project, or that of the requested service. */
  project_id: string | undefined;
  /** Open counts, ignoring the filter by id. */
  counts: () => Promise<OpenCounts>;
}

export type ListStore = ReturnType<typeof createListStore>;

/**
 * The active list: vulnerabilities that are open and not accepted, in projects and services that are not
 * deleted.
 *
 * @param options `sortedInMemory`: up to this many open vulnerabilities of a service are sorted in memory
 */
export function createListStore(
  { db, client }: Database,
  deletions: Pick<DeletionStore, 'hidden'>,
  { sortedInMemory } = { sortedInMemory: vulnerabilitiesSortedInMemory },
) {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = db.collection<ServiceStateDocument>('service_states');
  const counted = createOpenCounts(db);

  /** Null if the filter names something that does not exist or was deleted. */
  async function select(filter: ListFilter, session: ClientSession): Promise<Selection | null> {
    const { project_id, service_id } = filter;
    const hidden = await deletions.hidden({ project_id, session });
    if (namesHidden(filter, hidden)) return null;
    if (service_id !== undefined) {
      const state = await states.findOne({ _id: service_id }, { session });
      if (!state || state.deletion_state || hidden.projects.includes(state.project_id)) return null;
      if (project_id !== undefined && state.project_id !== project_id) return null;
      const counts = state.open_counts ?? {};
      return {
        hidden,
        counts: () => Promise.resolve(counts),
        serviceVulnerabilities: sumOf(counts, severities),
        project_id: state.project_id,
      };
    }
    const counts = (): Promise<OpenCounts> => countsOf(project_id, hidden, session);
    return { hidden, counts, serviceVulnerabilities: 0, project_id };
  }

  /** The open counts of a project, or of everything that is not deleted. */
  async function countsOf(
    project_id: string | undefined,
    hidden: Hidden,
    session: ClientSession,
  ): Promise<OpenCounts> {
    if (project_id !== undefined) {
      return counted.sumOver({ project_id, deletion_state: { $exists: false } }, session);
    }
    const counts = await counted.all(session);
    // Deleted services are in the total until they are purged, batch by batch.
    if (hidden.projects.length > 0 || hidden.services.length > 0) {
      const deleted: Filter<ServiceStateDocument> = {
        $or: [{ project_id: { $in: hidden.projects } }, { _id: { $in: hidden.services } }],
      };
      addTo(counts, await counted.sumOver(deleted, session), -1);
    }
    return counts;
  }

  async function totalOf(
    filter: ListFilter,
    selection: Selection,
    session: ClientSession,
  ): Promise<number> {
    if (!filter.cve_id) return sumOf(await selection.counts(), severitiesOf(filter));
    const where = {
      open: true,
      severity: { $in: severitiesOf(filter) },
      // The index needs the project to reach the entries of a service.
      ...scopeOf({ ...filter, project_id: selection.project_id }, 'by-alias', selection.hidden),
    };
    return vulnerabilities.countDocuments(where, { session, hint: openByAlias });
  }

  return {
    /** A page and the total, from one snapshot. */
    page: (
      filter: ListFilter,
      order: ListOrder,
      window: Window,
    ): Promise<{ items: VulnerabilityListItem[]; total: number }> =>
      withSnapshot(client, async (session) => {
        const selection = await select(filter, session);
        if (!selection) return { items: [], total: 0 };
        const access = accessOf(filter, {
          serviceVulnerabilities: selection.serviceVulnerabilities,
          sortedInMemory,
        });
        const scope = scopeOf(filter, access, selection.hidden);
        const ranges = rangesOf(filter, order, { access, scope });
        const read = (): Promise<VulnerabilityListItem[]> =>
          vulnerabilitiesOfPage<VulnerabilityListItem>(vulnerabilities, ranges, {
            window,
            session,
            fields: snapshotFields,
          });
        if (window.skip === 0) {
          // The first page does not rely on the counts: a wrong count must not hide a vulnerability.
          const [items, total] = await Promise.all([read(), totalOf(filter, selection, session)]);
          return { items, total };
        }
        const total = await totalOf(filter, selection, session);
        return { items: window.skip < total ? await read() : [], total };
      }),

    /** The number of entries that a filter selects, in the snapshot of a session. */
    async count(filter: ListFilter, session: ClientSession): Promise<number> {
      const selection = await select(filter, session);
      return selection ? totalOf(filter, selection, session) : 0;
    },

    /** Vulnerabilities of the newest scanned SBOMs with an id, by project, then by age. */
    async affected(
      filter: { identity: string; project_id?: string | undefined },
      window: { skip: number; limit: number },
    ) {
      const hidden = await deletions.hidden();
      if (namesHidden(filter, hidden)) return { items: [], total: 0 };
      const where: Filter<TrackedVulnerabilityDocument> = {
        ...notHidden(hidden),
        identity: filter.identity,
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
      return { items: items as PresentVulnerability[], total };
    },

    /** The open vulnerabilities by severity, from one snapshot. */
    countBySeverity: (
      filter: Pick<ListFilter, 'project_id' | 'service_id'>,
    ): Promise<Record<Severity | 'total', number>> =>
      withSnapshot(client, async (session) => {
        const counts = (await (await select(filter, session))?.counts()) ?? {};
        const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
        return { ...none, ...counts, total: sumOf(counts, severities) };
      }),
  };
}

function sumOf(counts: OpenCounts, of: readonly Severity[]): number {
  return of.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);
}
