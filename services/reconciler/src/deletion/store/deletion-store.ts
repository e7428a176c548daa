import { inTransaction, type Database, type IndexPlan } from '@bomtrail/mongo';
import type { ClientSession, Collection, Filter } from 'mongodb';
import type {
  AcceptanceDocument,
  ServiceStateDocument,
  SbomVersionDocument,
  KnownProjectDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { createStatusCounts } from '../../tracking/store/status-counts';
import { createProjectStore } from '../../tracking/store/project-store';

const hiddenOnly = {
  key: { deletion_state: 1 },
  partialFilterExpression: { deletion_state: 'hidden' },
} as const;

export const deletionIndexes: IndexPlan = {
  known_projects: [hiddenOnly],
  service_states: [hiddenOnly, { key: { project_id: 1, _id: 1 } }],
};

/** Services of a deleted project that are purged together. */
const servicesAtOnce = 200;

/** Deleted but not purged yet. */
export interface Hidden {
  projects: string[];
  services: string[];
}

export type DeletionStore = ReturnType<typeof createDeletionStore>;

/**
 * Deletes projects and services in two steps: hide, then purge. After hiding, no write adds anything, so a
 * purge finds everything.
 */
export function createDeletionStore(database: Database) {
  const { db } = database;
  const known = createProjectStore(database);
  const projects = db.collection<KnownProjectDocument>('known_projects');
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const epochs = db.collection<{ _id: string; epoch: number }>('acceptance_epochs');
  const counted = createStatusCounts(db);
  const notYet = { deletion_state: { $exists: false } };

  /**
   * Removes at most `limit` vulnerabilities and `limit` SBOM versions of these services, and their open
   * counts from the total. `more`: some are left.
   */
  async function purgeVulnerabilities(
    serviceIds: string[],
    limit: number,
  ): Promise<{ more: boolean }> {
    const where = { service_id: { $in: serviceIds } };
    await inTransaction(database.client, (session) =>
      counted.uncount({ _id: { $in: serviceIds } }, session),
    );
    const counts = [
      await dropSome(vulnerabilities, where, limit),
      await dropSome(sbomVersions, where, limit),
    ];
    return { more: counts.includes(limit) };
  }

  return {
    /**
     * @param project_id limits the result to this project and its services
     * @param session must not have read anything before
     */
    async hidden({
      project_id,
      session,
    }: { project_id?: string | undefined; session?: ClientSession } = {}): Promise<Hidden> {
      const where = { deletion_state: 'hidden' as const };
      const [one, its] =
        project_id === undefined ? [{}, {}] : [{ _id: project_id }, { project_id }];
      const ofServices = [
        { $match: { ...where, ...its } },
        { $project: { isService: { $literal: true } } },
      ];
      const found = await projects
        .aggregate<{ _id: string; isService?: true }>(
          [
            { $match: { ...where, ...one } },
            { $project: { _id: 1 } },
            { $unionWith: { coll: states.collectionName, pipeline: ofServices } },
          ],
          { session },
        )
        .toArray();
      const idsOf = (isService: boolean): string[] =>
        found.flatMap((hidden) => ((hidden.isService ?? false) === isService ? [hidden._id] : []));
      return { projects: idsOf(false), services: idsOf(true) };
    },

    /** Whether a service was deleted, alone or with its project. */
    async isDeleted(service: { service_id: string; project_id: string }): Promise<boolean> {
      const isDeleted = { deletion_state: { $exists: true } };
      const [project, state] = await Promise.all([
        projects.findOne({ _id: service.project_id, ...isDeleted }),
        states.findOne({ _id: service.service_id, ...isDeleted }),
      ]);
      return project !== null || state !== null;
    },

    /** Hides a project from all reads, permanently. Idempotent. */
    async hideProject(projectId: string): Promise<void> {
      await projects.updateOne(
        { _id: projectId },
        { $setOnInsert: { changes: 0 } },
        { upsert: true },
      );
      await projects.updateOne(
        { _id: projectId, ...notYet },
        { $set: { deletion_state: 'hidden' } },
      );
      // No service can join any more. Writes to existing ones fail on the version.
      await states.updateMany(
        { project_id: projectId, ...notYet },
        { $set: { deletion_state: 'with-project' }, $inc: { version: 1 } },
      );
      await acceptances.deleteMany({ project_id: projectId });
    },

    /** Hides a service from all reads, permanently, with the acceptances in its scope. Idempotent. */
    async hideService(service: { service_id: string; project_id: string }): Promise<void> {
      const { service_id, project_id } = service;
      await known.addTo(project_id, async (session) => {
        const state = await states.findOne({ _id: service_id }, { session });
        if (state?.deletion_state) return;
        await states.updateOne(
          { _id: service_id },
          {
            $set: { deletion_state: 'hidden' },
            $inc: { version: 1 },
            $setOnInsert: { project_id, head: null, revision: 0 },
          },
          { upsert: true, session },
        );
        await acceptances.deleteMany({ project_id, service_id: service_id }, { session });
      });
    },

    /** Removes one batch of a hidden project. */
    async purgeProject(projectId: string, limit: number): Promise<{ more: boolean }> {
      const services = await states
        .find({ project_id: projectId })
        .project<{ _id: string }>({ _id: 1 })
        .limit(servicesAtOnce)
        .toArray();
      const ids = services.map(({ _id }) => _id);
      if (ids.length > 0) {
        if ((await purgeVulnerabilities(ids, limit)).more) return { more: true };
        await states.deleteMany({ _id: { $in: ids } });
        if (ids.length === servicesAtOnce) return { more: true };
      }
      await epochs.deleteOne({ _id: projectId });
      // At most one document for each day of two years.
      await db.collection('daily_statistics').deleteMany({ project_id: projectId });
      await db.collection<{ _id: string }>('statistics_progress').deleteOne({ _id: projectId });
      await projects.updateOne({ _id: projectId }, { $set: { deletion_state: 'purged' } });
      return { more: false };
    },

    /** Removes one batch of a hidden service. */
    async purgeService(serviceId: string, limit: number): Promise<{ more: boolean }> {
      const { more } = await purgeVulnerabilities([serviceId], limit);
      if (!more) {
        await states.updateOne(
          { _id: serviceId, deletion_state: 'hidden' },
          { $set: { deletion_state: 'purged' } },
        );
      }
      return { more };
    },
  };
}

/** Removes at most `limit` documents; returns the number. */
async function dropSome<Document extends { _id: string }>(
  collection: Collection<Document>,
  where: Filter<Document>,
  limit: number,
): Promise<number> {
  const batch = await collection.find(where).project({ _id: 1 }).limit(limit).toArray();
  const ids = batch.map((document) => document['_id'] as string);
  if (ids.length > 0) await collection.deleteMany({ ...where, _id: { $in: ids } });
  return ids.length;
}
