import type { ProjectScope } from '@bomtrail/messages';
import type { Aggregation } from '@bomtrail/mongo';
import type { Collection, Filter } from 'mongodb';
import { type AcceptanceDocument, allProjects } from '../../tracking/store/documents';
import type { PendingAcceptances } from '../ports';

/** Thrown by a read that finds expired acceptances which the vulnerabilities still reflect (`withExpiriesApplied`). */
export class ExpiryDueError extends Error {
  constructor() {
    super('An expired acceptance is not applied yet.');
  }
}

/**
 * Expired by the clock of the database server, the one clock of all processes, and still visible in the
 * vulnerabilities: not yet lapsed, or lapsed by a process that ended before it updated them.
 */
export const anyDue: Filter<AcceptanceDocument> = {
  $or: [
    {
      lapsed: false,
      expires_at: { $type: 'date' },
      $expr: { $lte: ['$expires_at', '$$NOW'] },
    },
    { lapsed: true, pending: { $in: ['apply', 'revert'] } },
  ],
};

/** Finds one such acceptance that applies in these projects, for reads that need no query of their own for it. */
export function dueWithin(projects: ProjectScope | undefined): Aggregation {
  const named = typeof projects === 'string' ? [projects] : projects;
  const within = named && { project_id: { $in: [...named, allProjects] } };
  return {
    collection: 'acceptances',
    pipeline: [{ $match: { ...anyDue, ...within } }, { $limit: 1 }, { $project: { _id: 1 } }],
  };
}

/** Acceptances that the vulnerabilities do not reflect yet: just created, revoked or expired. */
export function createPendingAcceptances(
  acceptances: Collection<AcceptanceDocument>,
): PendingAcceptances {
  return {
    async finish(finished: readonly AcceptanceDocument[]): Promise<void> {
      const gone = finished.filter(({ pending }) => pending === 'revert').map(({ _id }) => _id);
      if (gone.length > 0) await acceptances.deleteMany({ _id: { $in: gone } });
      const kept = finished.filter(({ pending }) => pending !== 'revert');
      if (kept.length === 0) return;
      const writes = kept.map(({ _id, updated_at, lapsed }) => {
        const filter = { _id, updated_at, lapsed, pending: 'apply' as const };
        return {
          updateOne: { filter, update: { $set: { pending: null }, $unset: { left: 1 as const } } },
        };
      });
      await acceptances.bulkWrite(writes, { ordered: false });
    },

    pendingBefore: (before: Date, limit: number) =>
      acceptances
        .find({
          pending: { $in: ['apply', 'revert'] },
          lapsed: false,
          updated_at: { $lte: before },
        })
        .limit(limit)
        .toArray(),

    async projectsWithDue(): Promise<string[]> {
      // Usually there is none, which a find says in half the time of an aggregation.
      const one = await acceptances.findOne(anyDue, { projection: { _id: 1 } });
      if (!one) return [];
      const found = acceptances.aggregate<{ _id: string }>([
        { $match: anyDue },
        { $group: { _id: '$project_id' } },
      ]);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    dueOf: (projectId: string, limit: number): Promise<AcceptanceDocument[]> =>
      acceptances
        .find({ ...anyDue, project_id: projectId })
        .limit(limit)
        .toArray(),
  };
}
