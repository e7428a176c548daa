import type { AlertThreshold, Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import { severitiesFrom } from '../domain/alert-periods';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import type { DeletionStore } from '../../deletion/store/deletion-store';
import { openByService } from '../../tracking/store/list-indexes';
import { namesHidden } from '../../queries/store/list-plan';

/** A page and the cursor of the next one; null if there is none. */
export interface Page<Item, Cursor> {
  items: Item[];
  next: Cursor | null;
}

/** The last vulnerability of a page. */
export interface VulnerabilityCursor {
  service_id: string;
  id: string;
}

/** Open vulnerabilities at or above a threshold in some services of a project. */
export interface AlertPeriodQuery {
  project_id: string;
  service_ids: readonly string[];
  threshold: AlertThreshold;
}

type StateVersion = Pick<ServiceStateDocument, '_id' | 'version' | 'traceparent'>;
type Service = Pick<ServiceStateDocument, '_id' | 'open_counts'>;

export type AlertPeriodStore = ReturnType<typeof createAlertPeriodStore>;

/** Reads services and open vulnerabilities in pages, for alerts. */
export function createAlertPeriodStore(
  { db, client }: Database,
  deletions: Pick<DeletionStore, 'hidden'>,
) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  /** Reads from one snapshot; empty if the project is deleted. */
  function ofProject<Item, Cursor>(
    project_id: string,
    read: (session: ClientSession) => Promise<Page<Item, Cursor>>,
  ): Promise<Page<Item, Cursor>> {
    return withSnapshot(client, async (session) => {
      const hidden = await deletions.hidden({ project_id, session });
      return namesHidden({ project_id }, hidden) ? { items: [], next: null } : read(session);
    });
  }

  /** Cursors of the next vulnerabilities by service and id, read from an index alone. */
  async function cursorsOf(
    where: Filter<TrackedVulnerabilityDocument>,
    limit: number,
    session: ClientSession,
  ): Promise<VulnerabilityCursor[]> {
    const found = vulnerabilities
      .find(where, { session, hint: openByService })
      .sort({ service_id: 1, _id: 1 })
      .limit(limit)
      .project<{ _id: string; service_id: string }>({ _id: 1, service_id: 1 });
    return (await found.toArray()).map(({ _id, service_id }) => ({ service_id, id: _id }));
  }

  async function read(
    ids: readonly string[],
    session: ClientSession,
  ): Promise<TrackedVulnerabilityDocument[]> {
    if (ids.length === 0) return [];
    const found = await vulnerabilities
      .find({ _id: { $in: [...ids] } }, { session, projection: { presence: 0, identity: 0 } })
      .toArray();
    const byId = new Map(found.map((vulnerability) => [vulnerability._id, vulnerability]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  return {
    /**
     * The services of a project in which something was written, by id, with the versions of their states.
     *
     * @param window at most `limit` services after `after`
     */
    services: (
      project_id: string,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<Page<StateVersion, string>> =>
      ofProject(project_id, async (session) => {
        const where: Filter<ServiceStateDocument> = {
          project_id,
          version: { $gt: 0 },
          deletion_state: { $exists: false },
          ...(after === null ? {} : { _id: { $gt: after } }),
        };
        const found = await states
          .find(where, { session })
          .sort({ _id: 1 })
          .limit(limit + 1)
          .project<StateVersion>({ version: 1, traceparent: 1 })
          .toArray();
        return pageOf(found, limit, ({ _id }) => _id);
      }),

    /**
     * Open vulnerabilities at or above a threshold, by service and id. Services that are deleted or of
     * another project have none.
     *
     * However many services are requested, a page reads no more of the index than its own entries and those
     * of its last service: the open counts tell how many services fill it.
     */
    page: (
      { project_id, service_ids, threshold }: AlertPeriodQuery,
      { after, limit }: { after: VulnerabilityCursor | null; limit: number },
    ): Promise<Page<TrackedVulnerabilityDocument, VulnerabilityCursor>> =>
      ofProject(project_id, async (session) => {
        const where: Filter<ServiceStateDocument> = {
          _id: { $in: [...service_ids] },
          project_id,
          deletion_state: { $exists: false },
        };
        const services = await states
          .find(where, { session })
          .sort({ _id: 1 })
          .project<Service>({ open_counts: 1 })
          .toArray();
        const open = { open: true, severity: asStored(threshold) };
        const cursors: VulnerabilityCursor[] = [];
        if (after && services.some(({ _id }) => _id === after.service_id)) {
          const rest = { ...open, service_id: after.service_id, _id: { $gt: after.id } };
          cursors.push(...(await cursorsOf(rest, limit + 1, session)));
        }
        let left = services.filter(({ _id }) => after === null || _id > after.service_id);
        while (left.length > 0 && cursors.length <= limit) {
          const missing = limit + 1 - cursors.length;
          const next = enoughFor(missing, left, severitiesFrom(threshold));
          const service_id = { $in: next.map(({ _id }) => _id) };
          cursors.push(...(await cursorsOf({ ...open, service_id }, missing, session)));
          left = left.slice(next.length);
        }
        const { items, next } = pageOf(cursors, limit, (cursor) => cursor);
        const ids = items.map(({ id }) => id);
        return { items: await read(ids, session), next };
      }),
  };
}

/** The lowest threshold also matches a missing severity, which is reported as unknown. */
function asStored(threshold: AlertThreshold): Filter<TrackedVulnerabilityDocument>['severity'] {
  return threshold === 'low' ? { $ne: 'none' } : { $in: severitiesFrom(threshold) };
}

/** The first services with at least `count` open vulnerabilities together; all services if they have fewer. */
function enoughFor(
  count: number,
  services: readonly Service[],
  of: readonly Severity[],
): Service[] {
  let sum = 0;
  const some: Service[] = [];
  for (const service of services) {
    some.push(service);
    for (const severity of of) sum += service.open_counts?.[severity] ?? 0;
    if (sum >= count) break;
  }
  return some;
}

/** @param found one more than `limit` if there are more */
function pageOf<Item, Cursor>(
  found: readonly Item[],
  limit: number,
  cursorOf: (item: Item) => Cursor,
): Page<Item, Cursor> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
