import type { AlertThreshold, Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import { severitiesFrom } from '../domain/alert-periods';
import type { ServiceStateDocument, TrackedVulnerabilityDocument } from './documents';
import type { DeletionStore } from './deletion-store';
import { openByService } from './list-indexes';
import { asksForHidden } from './list-plan';

/** A page, and where the next one begins; null: there is none. */
export interface Page<Item, Place> {
  items: Item[];
  next: Place | null;
}

/** The last row of a page. */
export interface VulnerabilityVersion {
  service_id: string;
  id: string;
}

/** Listed rows of these lines of a project. */
export interface AlertPeriodQuery {
  project_id: string;
  service_ids: readonly string[];
  threshold: AlertThreshold;
}

type StateVersion = Pick<ServiceStateDocument, '_id' | 'version' | 'traceparent'>;
type Service = Pick<ServiceStateDocument, '_id' | 'listed'>;

export type AlertPeriodStore = ReturnType<typeof createAlertPeriodStore>;

/** Lines and listed rows as alerts ask for them: all of a project, in pages. */
export function createAlertPeriodStore(
  { db, client }: Database,
  deletion_state: Pick<DeletionStore, 'hidden'>,
) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  /** Reads of one moment, of a project that is not deleted; else nothing. */
  function ofProject<Item, Place>(
    project_id: string,
    read: (session: ClientSession) => Promise<Page<Item, Place>>,
  ): Promise<Page<Item, Place>> {
    return withSnapshot(client, async (session) => {
      const hidden = await deletion_state.hidden({ project_id, session });
      return asksForHidden({ project_id }, hidden) ? { items: [], next: null } : read(session);
    });
  }

  /** The places of the next rows of some lines, by line and id. An index alone gives them. */
  async function placesOf(
    where: Filter<TrackedVulnerabilityDocument>,
    limit: number,
    session: ClientSession,
  ): Promise<VulnerabilityVersion[]> {
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
     * The lines of a project in which something was written, by id, with the versions of their ledgers.
     *
     * @param window behind `after`, at most `limit`
     */
    services: (
      project_id: string,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<Page<StateVersion, string>> =>
      ofProject(project_id, async (session) => {
        const where: Filter<ServiceStateDocument> = {
          ...{ project_id, version: { $gt: 0 }, deletion_state: { $exists: false } },
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
     * Listed rows at or above a threshold, by line and id. Lines that are deleted, or of another
     * project, have none.
     *
     * No page reads more of the index than its own rows and those of the last line on it, however many
     * lines are asked for: the numbers of listed rows say how many lines fill it.
     */
    page: (
      { project_id, service_ids, threshold }: AlertPeriodQuery,
      { after, limit }: { after: VulnerabilityVersion | null; limit: number },
    ): Promise<Page<TrackedVulnerabilityDocument, VulnerabilityVersion>> =>
      ofProject(project_id, async (session) => {
        const asked: Filter<ServiceStateDocument> = {
          ...{ _id: { $in: [...service_ids] }, project_id, deletion_state: { $exists: false } },
        };
        const services = await states
          .find(asked, { session })
          .sort({ _id: 1 })
          .project<Service>({ listed: 1 })
          .toArray();
        const listed = { listed: true, severity: asStored(threshold) };
        const places: VulnerabilityVersion[] = [];
        if (after && services.some(({ _id }) => _id === after.service_id)) {
          const rest = { ...listed, service_id: after.service_id, _id: { $gt: after.id } };
          places.push(...(await placesOf(rest, limit + 1, session)));
        }
        let left = services.filter(({ _id }) => after === null || _id > after.service_id);
        while (left.length > 0 && places.length <= limit) {
          const missing = limit + 1 - places.length;
          const next = enoughFor(missing, left, severitiesFrom(threshold));
          const service_id = { $in: next.map(({ _id }) => _id) };
          places.push(...(await placesOf({ ...listed, service_id }, missing, session)));
          left = left.slice(next.length);
        }
        const { items, next } = pageOf(places, limit, (place) => place);
        const ids = items.map(({ id }) => id);
        return { items: await read(ids, session), next };
      }),
  };
}

/**
 * With the lowest threshold also what has no severity at all, which no write leaves behind: where it
 * is there nevertheless, it is told as unknown.
 */
function asStored(threshold: AlertThreshold): Filter<TrackedVulnerabilityDocument>['severity'] {
  return threshold === 'low' ? { $ne: 'none' } : { $in: severitiesFrom(threshold) };
}

/** The first lines that have so many listed rows together, as far as these are counted; all when they do not. */
function enoughFor(
  count: number,
  services: readonly Service[],
  of: readonly Severity[],
): Service[] {
  let sum = 0;
  const some: Service[] = [];
  for (const service of services) {
    some.push(service);
    for (const severity of of) sum += service.listed?.[severity] ?? 0;
    if (sum >= count) break;
  }
  return some;
}

/** @param found one more than `limit` where there is more */
function pageOf<Item, Place>(
  found: readonly Item[],
  limit: number,
  placeOf: (item: Item) => Place,
): Page<Item, Place> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}
