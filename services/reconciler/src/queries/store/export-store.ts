import type { ExportCursor } from '@bomtrail/messages';
import { oneOrSeveral, type Database } from '@bomtrail/mongo';
import type { Filter } from 'mongodb';
import type { DeletionStore } from '../../deletion/ports';
import {
  listedFields,
  type ServiceStateDocument,
  type TrackedVulnerabilityDocument,
  type VulnerabilityListItem,
} from '../../tracking/store/documents';
import { byService } from '../../tracking/store/list-indexes';
import { createOrderedReader } from '../../tracking/store/ordered-reader';
import type { CountedStatus } from '../../tracking/store/count-keys';
import { isNarrow, isSelective, servicesOf, severitiesOf, type StateFilter } from './list-filter';
import { namesHidden, whereOf } from './list-where';
import { inTime } from './in-time';
import { createMatchingDetails } from './matching-details';

type Vulnerabilities = Filter<TrackedVulnerabilityDocument>;
export type ExportedVulnerability = VulnerabilityListItem & { status: CountedStatus };
type Read = ExportedVulnerability & Pick<TrackedVulnerabilityDocument, 'package_key'>;

/** Services read together. */
const servicesAtOnce = 200;
/** After this time a part ends, however few it found. */
const partMs = 3_000;

export type ExportStore = ReturnType<typeof createExportStore>;

/**
 * Reads lists of any length in parts, by service, package and id, which no vulnerability ever changes: each is
 * read at most once, and one that exists all the time exactly once. No snapshot or cursor stays open between
 * parts.
 */
export function createExportStore(
  { db, client }: Database,
  deletions: Pick<DeletionStore, 'hidden'>,
) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const readInOrder = createOrderedReader(db);
  const matching = createMatchingDetails(db);
  const fields = Object.fromEntries([...listedFields, 'package_key'].map((field) => [field, 1]));

  async function nextServices(filter: StateFilter, after: string): Promise<string[]> {
    const named = servicesOf(filter);
    const where: Filter<ServiceStateDocument> = {
      _id: named ? { $gt: after, $in: [...named] } : { $gt: after },
      deletion_state: { $exists: false },
      ...(filter.project_id === undefined ? {} : { project_id: oneOrSeveral(filter.project_id) }),
    };
    const found = await states
      .find(where)
      .sort({ _id: 1 })
      .limit(servicesAtOnce)
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    return found.map(({ _id }) => _id);
  }

  /** The vulnerabilities after a cursor, up to a number, and where they end. */
  async function readAfter(
    filter: StateFilter,
    query: { where: Vulnerabilities; after: ExportCursor; count: number },
  ): Promise<{ found: Read[]; next: ExportCursor | null }> {
    const { where, after, count } = query;
    const { service_id, package_key, id } = after;
    const isWithin = package_key !== undefined && id !== undefined;
    const services = isWithin ? [service_id] : await nextServices(filter, service_id);
    const last = services.at(-1);
    if (last === undefined) return { found: [], next: null };
    const rest: Vulnerabilities = isWithin
      ? {
          package_key: { $gte: package_key },
          $or: [{ package_key: { $gt: package_key } }, { package_key, _id: { $gt: id } }],
        }
      : {};
    const those = { $and: [where, { service_id: { $in: services } }, rest] };
    const { found, end } = await inTime((limit) =>
      readInOrder<Read>(those, count, {
        ...limit,
        hint: byService,
        batchSize: 10_000,
        projection: fields,
      }),
    );
    const next = end
      ? { service_id: end.service_id, package_key: end.package_key, id: end._id }
      : { service_id: last };
    return { found, next };
  }

  return {
    /** A part of what a filter selects; `next` null: the last one. */
    async part(
      filter: StateFilter,
      { after, limit }: { after: ExportCursor | null; limit: number },
    ): Promise<{ found: ExportedVulnerability[]; next: ExportCursor | null }> {
      const hidden = await deletions.hidden({ project_id: filter.project_id });
      if (namesHidden(filter, hidden)) return { found: [], next: null };
      const scope = { hidden, project_id: filter.project_id, services: undefined };
      const ids = isSelective(filter)
        ? await client.withSession((session) => matching.find(filter, {}, session))
        : null;
      if (ids?.length === 0) return { found: [], next: null };
      const where: Vulnerabilities = {
        ...whereOf(filter, scope),
        severity: { $in: severitiesOf(filter) },
        ...(ids ? { details_id: { $in: ids.map(({ _id }) => _id) } } : {}),
      };
      const all: ExportedVulnerability[] = [];
      const end = performance.now() + partMs;
      let next: ExportCursor | null = after ?? { service_id: '' };
      while (next && all.length < limit && performance.now() < end) {
        const query = { where, after: next, count: limit - all.length };
        const part = await readAfter(filter, query);
        all.push(...(ids || !isNarrow(filter) ? part.found : await selected(part.found, filter)));
        next = part.next;
      }
      return { found: all, next };
    },
  };

  async function selected(found: readonly Read[], filter: StateFilter): Promise<Read[]> {
    const named = new Set(found.flatMap(({ details_id }) => details_id ?? []));
    const those = await client.withSession((session) =>
      matching.among([...named], filter, session),
    );
    const ids = new Set(those.map(({ _id }) => _id));
    return found.filter(({ details_id }) => ids.has(details_id ?? ''));
  }
}
