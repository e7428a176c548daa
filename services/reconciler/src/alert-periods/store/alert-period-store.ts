import { type Database, withSnapshot } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import type { DeletionStore } from '../../deletion/ports';
import { namesHidden } from '../../queries/store/list-where';
import type { DetailsStore } from '../../tracking/ports';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { createOrderedReader } from '../../tracking/store/ordered-reader';
import { snapshotOf } from '../../tracking/store/vulnerability-mapping';
import type { AlertPeriodStore, Page, StateVersion, VulnerabilityCursor } from '../ports';
import { createReasonReader } from './alert-reasons';

/** See `AlertPeriodStore`. */
export function createAlertPeriodStore(
  { db, client }: Database,
  {
    deletions,
    details,
  }: {
    deletions: Pick<DeletionStore, 'hidden'>;
    details: Pick<DetailsStore, 'facts'>;
  },
): AlertPeriodStore {
  const states = db.collection<ServiceStateDocument>('service_states');
  const reasons = createReasonReader(db);
  const readInOrder = createOrderedReader(db);

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

  return {
    services: (project_id, { after, limit }) =>
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

    page: (query, { after, limit }) =>
      ofProject(query.project_id, async (session) => {
        const { project_id } = query;
        const named = { _id: { $in: [...query.service_ids] }, project_id };
        const existing = { ...named, deletion_state: { $exists: false } };
        const service_ids = await states
          .find(existing, { session, projection: { _id: 1 } })
          .map(({ _id }) => _id)
          .toArray();
        const selected = await reasons.select(query, session);
        if (selected === null) return { items: [], next: null };
        const { hint, ...where } = selected;
        const found: TrackedVulnerabilityDocument[] = [];
        // However many services are requested, it reads little more than a page.
        for (const part of partsAfter(after, service_ids)) {
          const missing = limit + 1 - found.length;
          if (missing === 0) break;
          const those = { $and: [where, part] };
          const read = await readInOrder<TrackedVulnerabilityDocument>(those, missing, {
            session,
            hint,
          });
          found.push(...read.found);
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

/** The conditions on what follows: in the package and the service in which the page before ended, and in later services. */
function partsAfter(after: VulnerabilityCursor | null, service_ids: readonly string[]) {
  if (!after) return [{ service_id: { $in: [...service_ids] } }];
  const { service_id, package_key, id } = after;
  const isStillThere = service_ids.includes(service_id);
  return [
    ...(isStillThere ? [{ service_id, package_key, _id: { $gt: id } }] : []),
    ...(isStillThere ? [{ service_id, package_key: { $gt: package_key } }] : []),
    { service_id: { $in: service_ids.filter((one) => one > service_id) } },
  ];
}
