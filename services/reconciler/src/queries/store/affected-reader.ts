import { oneOrSeveral } from '@bomtrail/mongo';
import type { ListCursor, ProjectScope } from '@bomtrail/messages';
import type { Db, Filter } from 'mongodb';
import type { DeletionStore } from '../../deletion/ports';
import { presentStatuses } from '../../tracking/domain/decisions';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { aliasKeyOf } from './list-filter';
import type { Window } from './list-plan';
import { namesHidden, notHidden } from './list-where';

export type AffectedVulnerability = TrackedVulnerabilityDocument & {
  status: (typeof presentStatuses)[number];
};

/**
 * Reads the vulnerabilities of the newest scanned SBOMs with a current or former id, by project, then by age.
 */
export type ReadAffected = (
  filter: {
    identity: string;
    project_id?: ProjectScope | undefined;
    service_ids?: readonly string[] | undefined;
  },
  window: Window & { after?: ListCursor | null | undefined },
) => Promise<{ items: AffectedVulnerability[]; total: number }>;

export function createAffectedReader(
  db: Db,
  deletions: Pick<DeletionStore, 'hidden'>,
): ReadAffected {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  return async (filter, window) => {
    const hidden = await deletions.hidden();
    if (namesHidden(filter, hidden)) return { items: [], total: 0 };
    const naming = await details
      .find({ alias_keys: aliasKeyOf(filter.identity) })
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    const named = { $in: naming.map(({ _id }) => _id) };
    const where: Filter<TrackedVulnerabilityDocument> = {
      ...notHidden(hidden),
      $or: [{ details_id: named }, { former_ids: filter.identity }],
      status: { $in: [...presentStatuses] },
      ...(filter.project_id ? { project_id: oneOrSeveral(filter.project_id) } : {}),
      ...(filter.service_ids ? { service_id: { $in: [...filter.service_ids] } } : {}),
    };
    const [items, total] = await Promise.all([
      vulnerabilities
        .find({ $and: [where, afterPosition(window.after)] })
        .sort({ project_id: 1, _id: 1 })
        .allowDiskUse(true)
        .skip(window.skip)
        .limit(window.limit)
        .toArray(),
      vulnerabilities.countDocuments(where),
    ]);
    return {
      items: items as AffectedVulnerability[],
      total,
    };
  };
}

/** The condition on vulnerabilities after a position, by project, then by id. */
function afterPosition(after: ListCursor | null | undefined): Filter<TrackedVulnerabilityDocument> {
  if (!after) return {};
  const { at: project_id, id } = after;
  return { $or: [{ project_id: { $gt: project_id } }, { project_id, _id: { $gt: id } }] };
}
