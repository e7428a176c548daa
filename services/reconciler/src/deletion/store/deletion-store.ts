import { type Aggregation, type Database, type IndexPlan, inTransaction } from '@bomtrail/mongo';
import type { Collection, Document, Filter } from 'mongodb';
import type {
  AcceptanceDocument,
  KnownProjectDocument,
  SbomVersionDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { DeletionStore, Hidden, HiddenQuery } from '../ports';
import { createStatusCounts } from '../../tracking/store/status-counts';

const hiddenOnly = {
  key: { deletion_state: 1 },
  partialFilterExpression: { deletion_state: 'hidden' },
} as const;

export const deletionIndexes: IndexPlan = {
  known_projects: [hiddenOnly],
  service_states: [hiddenOnly, { key: { project_id: 1, _id: 1 } }],
};

export function createDeletionStore(database: Database): DeletionStore {
  const { db } = database;
  const known = createProjectStore(database);
  const projects = db.collection<KnownProjectDocument>('known_projects');
  const states = db.collection<ServiceStateDocument>('service_states');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const notYet = { deletion_state: { $exists: false } };
  const deleted = { deletion_state: { $exists: true } };
  const deletedProject = (_id: string) => projects.findOne({ _id, ...deleted });

  async function hiddenWith(
    { project_id, session }: HiddenQuery,
    aggregations: readonly Aggregation[],
  ): Promise<{ hidden: Hidden; results: Document[][] }> {
    const where = { deletion_state: 'hidden' as const };
    const [one, its] =
      typeof project_id === 'string' ? [{ _id: project_id }, { project_id }] : [{}, {}];
    const ofServices = [
      { $match: { ...where, ...its } },
      { $project: { _id: 0, service: '$_id' } },
    ];
    const found = await projects
      .aggregate<{ project?: string; service?: string; result?: Document; of?: number }>(
        [
          { $match: { ...where, ...one } },
          { $project: { _id: 0, project: '$_id' } },
          { $unionWith: { coll: states.collectionName, pipeline: ofServices } },
          ...aggregations.map(unionWith),
        ],
        { session },
      )
      .toArray();
    return {
      hidden: {
        projects: found.flatMap(({ project }) => project ?? []),
        services: found.flatMap(({ service }) => service ?? []),
      },
      results: aggregations.map((_one, index) =>
        found.flatMap(({ result, of }) => (result && of === index ? [result] : [])),
      ),
    };
  }

  return {
    hiddenWith,

    hidden: async (query = {}) => (await hiddenWith(query, [])).hidden,

    async isDeleted({ service_id, project_id }) {
      const [project, state] = await Promise.all([
        deletedProject(project_id),
        states.findOne({ _id: service_id, ...deleted }),
      ]);
      return project !== null || state !== null;
    },

    async hideProject(projectId) {
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
      await db.collection('vex_documents').deleteMany({ project_id: projectId });
      await db.collection('bulk_decisions').deleteMany({ project_id: projectId });
    },

    async hideService(service) {
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
        // A rule by owner has other services tomorrow.
        const only = { project_id, services: [service_id], owned: { $exists: false } };
        await acceptances.deleteMany(only, { session });
        const left = { $pull: { services: service_id } };
        await acceptances.updateMany({ project_id, services: service_id }, left, { session });
      });
    },

    ...createPurges(database),
  };
}

function unionWith({ collection, pipeline }: Aggregation, index: number): Document {
  const asResult = { $replaceRoot: { newRoot: { result: '$$ROOT', of: { $literal: index } } } };
  return { $unionWith: { coll: collection, pipeline: [...pipeline, asResult] } };
}

/** Services of a deleted project that are purged together. */
const servicesAtOnce = 200;

/** Removes what is hidden, a batch at a time. */
function createPurges({
  db,
  client,
}: Database): Pick<DeletionStore, 'purgeProject' | 'purgeService'> {
  const projects = db.collection<KnownProjectDocument>('known_projects');
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const epochs = db.collection<{ _id: string; epoch: number }>('acceptance_epochs');
  const counted = createStatusCounts(db);

  /**
   * Removes at most `limit` vulnerabilities and `limit` SBOM versions of these services, and their open
   * counts from the total. `more`: some are left.
   */
  async function purgeVulnerabilities(
    serviceIds: string[],
    limit: number,
  ): Promise<{ more: boolean }> {
    const where = { service_id: { $in: serviceIds } };
    await inTransaction(client, (session) =>
      counted.uncount({ _id: { $in: serviceIds } }, session),
    );
    const counts = [
      await dropSome(vulnerabilities, where, limit),
      await dropSome(sbomVersions, where, limit),
    ];
    return { more: counts.includes(limit) };
  }

  return {
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
      await db.collection('vex_documents').deleteMany({ project_id: projectId });
      await db.collection('vex_evaluations').deleteMany({ project_id: projectId });
      await db.collection<{ _id: string }>('vex_revisions').deleteOne({ _id: projectId });
      // At most one document for each day of two years.
      await db.collection('daily_statistics').deleteMany({ project_id: projectId });
      await db.collection<{ _id: string }>('statistics_progress').deleteOne({ _id: projectId });
      await projects.updateOne({ _id: projectId }, { $set: { deletion_state: 'purged' } });
      return { more: false };
    },

    async purgeService(serviceId: string, limit: number): Promise<{ more: boolean }> {
      const { more } = await purgeVulnerabilities([serviceId], limit);
      if (!more) {
        await db.collection<{ _id: string }>('vex_evaluations').deleteOne({ _id: serviceId });
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
