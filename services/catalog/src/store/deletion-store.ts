import type { AcknowledgingOwner } from '@bomtrail/messages';
import { inTransaction, type Database, type IndexPlan } from '@bomtrail/service-kit';
import type { DeletionDocument, ServiceDocument, ProjectDocument } from './documents';

export const deletionIndexes: IndexPlan = {
  deletions: [{ key: { project_id: 1, kind: 1 } }, { key: { begun_at: 1, _id: 1 } }],
};

export type DeletionStore = ReturnType<typeof createDeletionStore>;

/** Tombstones of projects and services, laid in the write that takes the thing itself away. */
export function createDeletionStore(database: Database) {
  const { db, client } = database;
  const deletions = db.collection<DeletionDocument>('deletions');
  const projects = db.collection<ProjectDocument>('projects');
  const services = db.collection<ServiceDocument>('services');

  return {
    byId: (id: string) => deletions.findOne({ _id: id }),

    /** Puts a tombstone in the place of a project; its name and slug are free. False: there is no such project. */
    beginProject(id: string, now: Date): Promise<boolean> {
      return inTransaction(client, async (session) => {
        const removed = await projects.deleteOne({ _id: id }, { session });
        if (removed.deletedCount === 0) return false;
        await deletions.insertOne(tombstone({ _id: id, kind: 'project', project_id: id }, now), {
          session,
        });
        return true;
      });
    },

    /**
     * Puts a tombstone in the place of a service, on condition that it has no SBOM unless
     * `withSboms`. False: there is no such service, or it has SBOMs.
     */
    beginService(
      service: { _id: string; project_id: string },
      options: { withSboms: boolean; now: Date },
    ): Promise<boolean> {
      const { _id, project_id } = service;
      return inTransaction(client, async (session) => {
        const removed = await services.deleteOne(
          { _id, ...(options.withSboms ? {} : { latest: null }) },
          { session },
        );
        if (removed.deletedCount === 0) return false;
        await deletions.insertOne(tombstone({ _id, kind: 'service', project_id }, options.now), {
          session,
        });
        return true;
      });
    },

    /** Takes the lines of a deleted project away: no upload is appended any more. */
    async dropServicesOf(projectId: string): Promise<void> {
      await services.deleteMany({ project_id: projectId });
    },

    /** Notes that a caller is told; exactly one of several is given `true`. */
    async tell(id: string, now: Date): Promise<boolean> {
      const told = await deletions.updateOne(
        { _id: id, told_at: null },
        { $set: { told_at: now } },
      );
      return told.modifiedCount === 1;
    },

    /** The services of a project whose SBOM records may still be there. */
    servicesOf: (projectId: string): Promise<string[]> =>
      deletions.distinct('_id', { project_id: projectId, kind: 'service' }),

    /** Tombstones with which something is to be done, the oldest first; `untoldSince`: see `close`. */
    unfinished: (limit: number, untoldSince: Date) =>
      deletions
        .find({
          $or: [
            { idle: { $exists: false } },
            { told_at: { $ne: null } },
            { begun_at: { $lte: untoldSince } },
          ],
        })
        .sort({ begun_at: 1, _id: 1 })
        .limit(limit)
        .toArray(),

    async acknowledge(id: string, owner: AcknowledgingOwner): Promise<void> {
      await deletions.updateOne({ _id: id }, { $addToSet: { acknowledged: owner } });
    },

    /**
     * Removes a tombstone of which nothing is left. One of which nobody was told stays until it is
     * as old as `untoldSince`: who repeats the delete is to hear that it is done.
     */
    async close(id: string, untoldSince: Date): Promise<boolean> {
      const closed = await deletions.deleteOne({
        _id: id,
        $or: [{ told_at: { $ne: null } }, { begun_at: { $lte: untoldSince } }],
      });
      if (closed.deletedCount === 1) return true;
      await deletions.updateOne({ _id: id }, { $set: { idle: true } });
      return false;
    },
  };
}

function tombstone(
  deleted: Pick<DeletionDocument, '_id' | 'kind' | 'project_id'>,
  now: Date,
): DeletionDocument {
  return { ...deleted, begun_at: now, told_at: null, acknowledged: [] };
}
