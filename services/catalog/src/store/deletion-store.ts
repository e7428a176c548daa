import type { AcknowledgingOwner } from '@bomtrail/messages';
import { inTransaction, type Database, type IndexPlan } from '@bomtrail/mongo';
import type { DeletionDocument, ServiceDocument, ProjectDocument } from './documents';
import type { ImportedServiceDocument } from './import-store';
import { createNamesRevision } from './names-revision';

export const deletionIndexes: IndexPlan = {
  deletions: [{ key: { project_id: 1, kind: 1 } }, { key: { begun_at: 1, _id: 1 } }],
};

export type DeletionStore = ReturnType<typeof createDeletionStore>;

/** Tombstones of projects and services, written in the transaction that deletes the document. */
export function createDeletionStore(database: Database) {
  const { db, client } = database;
  const deletions = db.collection<DeletionDocument>('deletions');
  const projects = db.collection<ProjectDocument>('projects');
  const services = db.collection<ServiceDocument>('services');
  const names = createNamesRevision(db);
  const importedServices = db.collection<ImportedServiceDocument>('imported_services');

  return {
    byId: (id: string) => deletions.findOne({ _id: id }),

    /**
     * Replaces a project with a tombstone, which frees its name and slug. False: it does not exist.
     */
    beginProject(id: string, now: Date): Promise<boolean> {
      return inTransaction(client, async (session) => {
        const removed = await projects.deleteOne({ _id: id }, { session });
        if (removed.deletedCount === 0) return false;
        await deletions.insertOne(tombstone({ _id: id, kind: 'project', project_id: id }, now), {
          session,
        });
        await names.change(session);
        return true;
      });
    },

    /**
     * Replaces a service with a tombstone, if it has no SBOMs or `withSboms`. False: it does not
     * exist, or has SBOMs.
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
        await names.change(session);
        return true;
      });
    },

    /**
     * Deletes the services of a deleted project, so that no upload is appended, and what the reports of imports say of
     * them.
     */
    async dropServicesOf(projectId: string): Promise<void> {
      await services.deleteMany({ project_id: projectId });
      await importedServices.deleteMany({ project_id: projectId });
    },

    /** Marks a deletion as acknowledged to a caller; returns true to exactly one caller. */
    async claimResponse(id: string, now: Date): Promise<boolean> {
      const updated = await deletions.updateOne(
        { _id: id, responded_at: null },
        { $set: { responded_at: now } },
      );
      return updated.modifiedCount === 1;
    },

    /** Deleted services of a project whose SBOM records may still exist. */
    servicesOf: (projectId: string): Promise<string[]> =>
      deletions.distinct('_id', { project_id: projectId, kind: 'service' }),

    /** Tombstones with pending work, oldest first; `unrespondedSince`: see `close`. */
    unfinished: (limit: number, unrespondedSince: Date) =>
      deletions
        .find({
          $or: [
            { idle: { $exists: false } },
            { responded_at: { $ne: null } },
            { begun_at: { $lte: unrespondedSince } },
          ],
        })
        .sort({ begun_at: 1, _id: 1 })
        .limit(limit)
        .toArray(),

    async acknowledge(id: string, owner: AcknowledgingOwner): Promise<void> {
      await deletions.updateOne({ _id: id }, { $addToSet: { acknowledged: owner } });
    },

    /**
     * Removes a tombstone without remaining data. If no caller was answered, it stays until it is
     * as old as `unrespondedSince`, so that a repeated delete still succeeds.
     */
    async close(id: string, unrespondedSince: Date): Promise<boolean> {
      const closed = await deletions.deleteOne({
        _id: id,
        $or: [{ responded_at: { $ne: null } }, { begun_at: { $lte: unrespondedSince } }],
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
  return { ...deleted, begun_at: now, responded_at: null, acknowledged: [] };
}
