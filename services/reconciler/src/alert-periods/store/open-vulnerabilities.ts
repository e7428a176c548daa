import type { Severity } from '@bomtrail/messages';
import type { ClientSession, Db } from 'mongodb';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { createOrderedReader } from '../../tracking/store/ordered-reader';
import type { VulnerabilityCursor } from '../ports';
import type { Selected } from './alert-reasons';

type Service = Pick<ServiceStateDocument, '_id' | 'counts'>;

/** What a page of open vulnerabilities is read by. */
export interface Selection {
  where: Selected;
  /** By id, ascending. */
  services: readonly Service[];
  /** The severities whose counts tell how many services fill a page; empty: all are read together. */
  counted: readonly Severity[];
  after: VulnerabilityCursor | null;
  limit: number;
}

/** Reads open vulnerabilities in the order of services, packages and ids. */
export function createOpenVulnerabilityReader(db: Db) {
  const readInOrder = createOrderedReader(db);

  async function along(
    { hint, ...where }: Selected,
    limit: number,
    session: ClientSession,
  ): Promise<TrackedVulnerabilityDocument[]> {
    const part = await readInOrder<TrackedVulnerabilityDocument>(where, limit, { session, hint });
    return part.found;
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

  /**
   * Up to `limit` vulnerabilities after `after`. However many services are requested, it reads little more than
   * these: the counts tell how many services fill a page.
   */
  return async function readAfter(
    { where, services, counted, after, limit }: Selection,
    session: ClientSession,
  ): Promise<TrackedVulnerabilityDocument[]> {
    const found: TrackedVulnerabilityDocument[] = [];
    if (after && services.some(({ _id }) => _id === after.service_id))
      found.push(...(await restOf(after, { where, limit }, session)));
    let left = services.filter(({ _id }) => after === null || _id > after.service_id);
    while (left.length > 0 && found.length < limit) {
      const missing = limit - found.length;
      const next = enoughFor(missing, left, counted);
      const service_id = { $in: next.map(({ _id }) => _id) };
      found.push(...(await along({ ...where, service_id }, missing, session)));
      left = left.slice(next.length);
    }
    return found;
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
