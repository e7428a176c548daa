import type { ClientSession, Db } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { byDetails } from '../../tracking/store/list-indexes';
import { createSelectedGroupDetails, partOf, type GroupDetails } from './group-details';
import { inTime } from './in-time';
import { isSelective, namesFound } from './list-filter';
import { isWhole, type FilteredQuery } from './list-scopes';

/**
 * Reads the details that a filter selects and that have a vulnerability of its status, without counting these: the
 * index by details is passed from one of the details to the next. Null where that is not the cheapest way: for
 * few details, several statuses, and what depends on the vulnerability or its scope.
 */
export function createPresentDetails(
  db: Db,
): (query: FilteredQuery, session: ClientSession) => Promise<GroupDetails[] | null> {
  const selected = createSelectedGroupDetails(db);
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  async function presentIds(status: string, session: ClientSession): Promise<Set<string>> {
    const found = await inTime((limit) =>
      vulnerabilities
        .aggregate<{ ids: string[] }>(
          [
            { $match: { details_id: { $gt: '' }, status } },
            { $group: { _id: '$details_id' } },
            { $group: { _id: partOf('$_id'), ids: { $push: '$_id' } } },
          ],
          { ...limit, session, hint: byDetails },
        )
        .toArray(),
    );
    return new Set(found.flatMap(({ ids }) => ids));
  }

  return async ({ filter, selection }, session) => {
    const { hidden } = selection;
    const isHidden = hidden.projects.length > 0 || hidden.services.length > 0;
    const [status, ...others] = filter.statuses;
    if (!isWhole(selection) || isHidden || namesFound(filter) || filter.purl !== undefined)
      return null;
    if (isSelective(filter) || !status || others.length > 0) return null;
    const present = await presentIds(status, session);
    const found = await selected(filter, session);
    return found.filter(({ _id }) => present.has(_id));
  };
}
