import type { ClientSession, Db } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { byDetails, detailsIndex } from '../../tracking/store/list-indexes';
import type { DetailsMember } from './details-groups';
import { groupFields } from './group-details';
import { inTime } from './in-time';
import { detailsWhereOf, isSelective, namesFound } from './list-filter';
import type { FilteredQuery } from './list-scopes';
import { walkedWhere } from './matching-details';

/**
 * Reads the details that a filter selects and that have a vulnerability of its status, without counting these: the
 * index by details is passed from one of the details to the next. Null where that is not the cheapest way: for
 * few details, several statuses, and what depends on the vulnerability or its scope.
 */
export function createPresentDetails(
  db: Db,
): (query: FilteredQuery, session: ClientSession) => Promise<DetailsMember[] | null> {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  async function presentIds(status: string, session: ClientSession): Promise<Set<string>> {
    const found = await inTime((limit) =>
      vulnerabilities
        .aggregate<{ _id: string }>(
          [{ $match: { details_id: { $gt: '' }, status } }, { $group: { _id: '$details_id' } }],
          { ...limit, session, hint: byDetails, batchSize: 100_000 },
        )
        .toArray(),
    );
    return new Set(found.map(({ _id }) => _id));
  }

  return async ({ filter, selection }, session) => {
    const { hidden, project_id, services } = selection;
    const isWhole = project_id === undefined && services === undefined;
    const isHidden = hidden.projects.length > 0 || hidden.services.length > 0;
    const [status, ...others] = filter.statuses;
    if (!isWhole || isHidden || namesFound(filter) || filter.purl !== undefined) return null;
    if (isSelective(filter) || !status || others.length > 0) return null;
    const present = await presentIds(status, session);
    const where = detailsWhereOf(filter);
    const walked = walkedWhere(filter, 'severity_rank');
    const found = await inTime((limit) =>
      details
        .find(where ? { $and: [walked, where] } : walked, {
          ...limit,
          session,
          hint: detailsIndex('severity_rank', -1),
          batchSize: 100_000,
        })
        .project<DetailsMember>(groupFields)
        .toArray(),
    );
    return found.filter(({ _id }) => present.has(_id));
  };
}
