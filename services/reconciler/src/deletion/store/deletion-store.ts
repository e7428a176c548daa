import type { Aggregation, Database, IndexPlan } from '@bomtrail/mongo';
import type {
  AcceptanceDocument,
  ServiceStateDocument,
  KnownProjectDocument,
} from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { Document } from 'mongodb';
import type { DeletionStore, Hidden, HiddenQuery } from '../ports';
import { createPurges } from './purge-store';

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

    async isUnchanged({ service_id, project_id }, version) {
      const [project, state] = await Promise.all([
        deletedProject(project_id),
        states.findOne({ _id: service_id, version, ...notYet }, { projection: { _id: 1 } }),
      ]);
      return project === null && state !== null;
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
