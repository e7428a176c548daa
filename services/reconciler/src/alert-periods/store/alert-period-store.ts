import type { AlertThreshold, Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import { severitiesFrom } from '../domain/alert-periods';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import type { DeletionStore } from '../../deletion/ports';
import type { DetailsStore } from '../../tracking/ports';
import { snapshotOf } from '../../tracking/store/vulnerability-mapping';
import type { Snapshot } from '../../tracking/domain/types';
import { namesHidden } from '../../queries/store/list-where';
import {
  createReasonReader,
  type RatedTitle,
  type RiskReasons,
  type Selected,
} from './alert-reasons';

/** A page and the cursor of the next one; null if there is none. */
export interface Page<Item, Cursor> {
  items: Item[];
  next: Cursor | null;
}

/** The last vulnerability of a page. */
export interface VulnerabilityCursor {
  service_id: string;
  package_key: string;
  id: string;
}

/** An open vulnerability with its listed fields. */
export type OpenVulnerability = TrackedVulnerabilityDocument & {
  snapshot: Snapshot | null;
  /** What its details say now; undefined if they are missing. */
  rated: RatedTitle | undefined;
};

/** Open vulnerabilities in some services of a project, for any of these reasons. */
export interface AlertPeriodQuery extends RiskReasons {
  project_id: string;
  service_ids: readonly string[];
  /** Null: severity is no reason. */
  threshold: AlertThreshold | null;
}

type StateVersion = Pick<ServiceStateDocument, '_id' | 'version' | 'traceparent'>;
type Service = Pick<ServiceStateDocument, '_id' | 'counts'>;

export type AlertPeriodStore = ReturnType<typeof createAlertPeriodStore>;

/** Reads services and open vulnerabilities in pages, for alerts. */
export function createAlertPeriodStore(
  { db, client }: Database,
  {
    deletions,
    details,
  }: {
    deletions: Pick<DeletionStore, 'hidden'>;
    details: Pick<DetailsStore, 'facts'>;
  },
) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const reasons = createReasonReader(db);

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

  /** Vulnerabilities in the order of services. */
  function along(
    { hint, ...where }: Selected,
    limit: number,
    session: ClientSession,
  ): Promise<TrackedVulnerabilityDocument[]> {
    return vulnerabilities
      .find(where, { session, hint })
      .sort({ service_id: 1, package_key: 1, _id: 1 })
      .limit(limit)
      .toArray();
  }

  /** The rest of the service in which the page before ended. */
  async function restOf(
    { service_id, package_key, id }: VulnerabilityCursor,
    { where, limit }: { where: Selected; limit: number },
    session: ClientSession,
  ): Promise<TrackedVulnerabilityDocument[]> {
    const ofPackage = { ...where, service_id, package_key, _id: { $gt: id } };
    const found = await along(ofPackage, limit, session);
    if (found.length >= limit) return found;
    const others = { ...where, service_id, package_key: { $gt: package_key } };
    return [...found, ...(await along(others, limit - found.length, session))];
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
     * Open vulnerabilities with a reason, by service and package; possibly others, if very many details have a
     * risk reason. Services that are deleted or of another project have none.
     *
     * However many services are requested, a page reads little more than its own vulnerabilities: the counts
     * tell how many services fill it.
     */
    page: (
      query: AlertPeriodQuery,
      { after, limit }: { after: VulnerabilityCursor | null; limit: number },
    ): Promise<Page<OpenVulnerability, VulnerabilityCursor>> =>
      ofProject(query.project_id, async (session) => {
        const { project_id, service_ids, threshold } = query;
        const services = await states
          .find(
            { _id: { $in: [...service_ids] }, project_id, deletion_state: { $exists: false } },
            { session },
          )
          .sort({ _id: 1 })
          .project<Service>({ counts: 1 })
          .toArray();
        const where = await reasons.select(query, session);
        if (where === null) return { items: [], next: null };
        const counted = threshold === null ? [] : severitiesFrom(threshold);
        const found: TrackedVulnerabilityDocument[] = [];
        if (after && services.some(({ _id }) => _id === after.service_id))
          found.push(...(await restOf(after, { where, limit: limit + 1 }, session)));
        let left = services.filter(({ _id }) => after === null || _id > after.service_id);
        while (left.length > 0 && found.length <= limit) {
          const missing = limit + 1 - found.length;
          const next = enoughFor(missing, left, counted);
          const service_id = { $in: next.map(({ _id }) => _id) };
          found.push(...(await along({ ...where, service_id }, missing, session)));
          left = left.slice(next.length);
        }
        const { items, next } = pageOf(found, limit, ({ _id, service_id, package_key }) => {
          return { service_id, package_key, id: _id };
        });
        const ids = items.flatMap(({ details_id }) => details_id ?? []);
        const facts = await details.facts(ids, session);
        const titles = await reasons.titles(ids, session);
        const withSnapshots = items.map((document) => ({
          ...document,
          snapshot: snapshotOf(document, (id) => facts.get(id)),
          rated: titles.get(document.details_id ?? ''),
        }));
        return { items: withSnapshots, next };
      }),
  };
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
    for (const severity of of) sum += service.counts?.[severity] ?? 0;
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
