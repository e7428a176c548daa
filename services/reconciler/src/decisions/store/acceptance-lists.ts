import type { ListCursor, ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral } from '@bomtrail/mongo';
import type { Collection, Filter } from 'mongodb';
import { allProjects, type AcceptanceDocument } from '../../tracking/store/documents';
import type { AcceptanceFilter, AcceptanceStore } from '../ports';

/** Lists of decisions in projects, expired ones included. */
export function createAcceptanceLists(
  acceptances: Collection<AcceptanceDocument>,
): Pick<AcceptanceStore, 'list'> {
  return {
    async list(filter, page) {
      const where = whereOf(filter);
      const [items, total] = await Promise.all([
        acceptances
          .find({ $and: [where, newestAfter(page.after)] })
          .sort({ created_at: -1, _id: 1 })
          .skip(page.skip)
          .limit(page.limit)
          .toArray(),
        acceptances.countDocuments(where),
      ]);
      return { items, total };
    },
  };
}

function whereOf({
  project_id,
  is_global,
  decision,
  source,
  expires_before,
  expires_after,
}: AcceptanceFilter): Filter<AcceptanceDocument> {
  return {
    pending: { $ne: 'revert' },
    project_id: is_global ? allProjects : inProjects(project_id),
    ...(decision && { decision: { $in: [...decision] } }),
    source: source ?? { $ne: 'rule' },
    ...((expires_before || expires_after) && {
      expires_at: {
        ...(expires_before && { $lt: expires_before }),
        ...(expires_after && { $gt: expires_after }),
      },
    }),
  };
}

function inProjects(scope: ProjectScope | undefined) {
  return scope === undefined ? { $ne: allProjects } : oneOrSeveral(scope);
}

/** The condition on decisions after a position of the list: newest first, ties by id. */
function newestAfter(after: ListCursor | null | undefined): Filter<AcceptanceDocument> {
  if (!after) return {};
  const at = new Date(after.at);
  return { $or: [{ created_at: { $lt: at } }, { created_at: at, _id: { $gt: after.id } }] };
}
