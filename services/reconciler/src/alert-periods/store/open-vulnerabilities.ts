import type { ClientSession, Db } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { createOrderedReader } from '../../tracking/store/ordered-reader';
import type { VulnerabilityCursor } from '../ports';
import type { Selected } from './alert-reasons';

/** What a page of open vulnerabilities is read by. */
export interface Selection {
  where: Selected;
  service_ids: readonly string[];
  after: VulnerabilityCursor | null;
  limit: number;
}

/** Reads open vulnerabilities in the order of services, packages and ids. */
export function createOpenVulnerabilityReader(db: Db) {
  const readInOrder = createOrderedReader(db);

  /** Up to `limit` vulnerabilities after `after`. However many services are requested, it reads little more than these. */
  return async function readAfter(
    { where: { hint, ...where }, service_ids, after, limit }: Selection,
    session: ClientSession,
  ): Promise<TrackedVulnerabilityDocument[]> {
    const found: TrackedVulnerabilityDocument[] = [];
    for (const part of partsAfter(after, service_ids)) {
      const missing = limit - found.length;
      if (missing === 0) break;
      const condition = { $and: [where, part] };
      const read = await readInOrder<TrackedVulnerabilityDocument>(condition, missing, {
        session,
        hint,
      });
      found.push(...read.found);
    }
    return found;
  };
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
