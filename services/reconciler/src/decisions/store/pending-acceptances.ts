import type { Collection, Filter } from 'mongodb';
import type { AcceptanceDocument } from '../../tracking/store/documents';

/**
 * Expired by the clock of the database server, the one clock of all processes, and still visible in the
 * vulnerabilities: not yet lapsed, or lapsed by a process that ended before it updated them.
 */
const due: Filter<AcceptanceDocument> = {
  $or: [
    {
      lapsed: false,
      expires_at: { $type: 'date' },
      $expr: { $lte: ['$expires_at', '$$NOW'] },
    },
    { lapsed: true, pending: { $in: ['apply', 'revert'] } },
  ],
};

/** Acceptances that the vulnerabilities do not reflect yet: just created, revoked or expired. */
export function createPendingAcceptances(acceptances: Collection<AcceptanceDocument>) {
  return {
    /**
     * Records that the vulnerabilities reflect these acceptances as they were read: revoked ones are deleted,
     * the others lose `pending`. One that changed since is left to the process that changed it.
     */
    async finish(finished: readonly AcceptanceDocument[]): Promise<void> {
      const idsOf = (revoked: boolean, lapsed?: boolean): string[] =>
        finished
          .filter((one) => (one.pending === 'revert') === revoked)
          .filter((one) => lapsed === undefined || one.lapsed === lapsed)
          .map(({ _id }) => _id);
      const gone = idsOf(true);
      if (gone.length > 0) await acceptances.deleteMany({ _id: { $in: gone } });
      for (const lapsed of [false, true]) {
        const ids = idsOf(false, lapsed);
        if (ids.length === 0) continue;
        const where = { _id: { $in: ids }, pending: 'apply' as const, lapsed };
        await acceptances.updateMany(where, { $set: { pending: null } });
      }
    },

    /** Created or revoked before a time and still pending: the process that began it has ended. */
    pendingBefore: (before: Date, limit: number) =>
      acceptances
        .find({
          pending: { $in: ['apply', 'revert'] },
          lapsed: false,
          updated_at: { $lte: before },
        })
        .limit(limit)
        .toArray(),

    /** Projects with expired acceptances that are still visible in the vulnerabilities. */
    async projectsWithDue(): Promise<string[]> {
      const found = acceptances.aggregate<{ _id: string }>([
        { $match: due },
        { $group: { _id: '$project_id' } },
      ]);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    /** Such acceptances of one project. */
    dueOf: (projectId: string, limit: number): Promise<AcceptanceDocument[]> =>
      acceptances
        .find({ ...due, project_id: projectId })
        .limit(limit)
        .toArray(),
  };
}
