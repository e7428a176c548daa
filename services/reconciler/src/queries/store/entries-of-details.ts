import type { ClientSession, Db, Filter } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { byDetails } from '../../tracking/store/list-indexes';
import { findInTime } from './in-time';
import { byPlace, entryFields, type ListEntry } from './list-orders';

/**
 * Reads all vulnerabilities of some details that match a condition, in one query.
 *
 * @returns a function that takes the ids of the details, and gives the vulnerabilities in the order of these ids; those of
 *   the same details as in `byDetailsValue`
 * @throws AppError `service_unavailable` if it takes too long
 */
export function createEntriesOfDetails(db: Db) {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  return async (
    ids: readonly string[],
    condition: Filter<TrackedVulnerabilityDocument>,
    session: ClientSession,
  ): Promise<ListEntry[]> => {
    if (ids.length === 0) return [];
    const where = { ...condition, details_id: { $in: [...ids] } };
    const entries: ListEntry[] = await findInTime(vulnerabilities, where, {
      session,
      hint: byDetails,
      projection: entryFields,
    });
    const place = new Map(ids.map((id, index) => [id, index]));
    return entries.sort(byPlace(({ details_id }) => place.get(details_id ?? '') ?? 0));
  };
}
