import { inTransaction, type Database, type IndexPlan } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import { latestOf } from '../domain/duplicate';
import { ownershipFieldNames, type OwnershipChanges } from '../domain/ownership';
import { manyBatched } from './batched';
import { changeOf } from './change-of';
import { createNamesRevision } from './names-revision';
import type { ServiceDocument, SbomDocument } from './documents';

export const serviceIndexes: IndexPlan = {
  services: [{ key: { project_id: 1, name: 1 }, unique: true }],
};

const namedFields = ['project_id', 'name', ...ownershipFieldNames] as const;
type ServiceName = Pick<ServiceDocument, '_id' | (typeof namedFields)[number]>;

export type ServiceStore = ReturnType<typeof createServiceStore>;

/** Services, each with its latest SBOM. */
export function createServiceStore(database: Database) {
  const { db, client } = database;
  const services = db.collection<ServiceDocument>('services');
  const sboms = db.collection<SbomDocument>('sboms');
  const names = createNamesRevision(db);

  return {
    byId: (id: string) => services.findOne({ _id: id }),

    /** A service by its exact name; null for the project-level one. */
    named: (project_id: string, name: string | null) => services.findOne({ project_id, name }),

    /** Undefined removes a field. Null: the service does not exist. */
    changeOwnership: (id: string, changes: OwnershipChanges) =>
      inTransaction(client, async (session) => {
        const change = changeOf<ServiceDocument>(changes);
        const options = { session, returnDocument: 'after' as const };
        const changed = await services.findOneAndUpdate({ _id: id }, change, options);
        if (changed) await names.change(session);
        return changed;
      }),

    byIds: (ids: string[]) => services.find({ _id: { $in: ids } }).toArray(),

    /** Names of services. Concurrent calls share one query. */
    namesOf: manyBatched<ServiceName>((ids) =>
      services
        .find({ _id: { $in: ids } })
        .project<ServiceName>(Object.fromEntries(namedFields.map((field) => [field, 1])))
        .toArray(),
    ),

    /** Services by id after `after`, of one project or of all. */
    page: (where: { project_id?: string | undefined; after: string | null }, limit: number) =>
      services
        .find({
          _id: { $gt: where.after ?? '' },
          ...(where.project_id === undefined ? {} : { project_id: where.project_id }),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** The existing ones of these services. */
    async thatExist(ids: string[]): Promise<Set<string>> {
      return new Set(await services.distinct('_id', { _id: { $in: ids } }));
    },

    /** The named services of a project, by name; without the project-level service. */
    servicesOf: (projectId: string) =>
      services
        .find({ project_id: projectId, name: { $type: 'string' } })
        .hint({ project_id: 1, name: 1 })
        .sort({ name: 1 })
        .toArray(),

    /** Number of SBOMs of a project, or of one of its services. */
    async countOf(projectId: string, serviceId?: string): Promise<number> {
      const of = serviceId === undefined ? {} : { _id: serviceId };
      const [sum] = await services
        .aggregate<{ sboms: number }>([
          { $match: { project_id: projectId, ...of } },
          { $group: { _id: null, sboms: { $sum: '$sbom_count' } } },
        ])
        .toArray();
      return sum?.sboms ?? 0;
    },

    /**
     * Adds tombstones to SBOMs of one service and sets its latest SBOM to the newest remaining one.
     * Idempotent. Every delete writes the service, so that concurrent deletes see each other.
     *
     * @param options `exceptLatest`: does nothing and returns `latest` if the newest SBOM is among
     * them
     */
    addTombstones(
      serviceId: string,
      sbomIds: readonly string[],
      options: { now: Date; exceptLatest?: boolean },
    ): Promise<'done' | 'latest'> {
      const ids = [...sbomIds];
      const others = { service_id: serviceId, deleted_at: { $exists: false } };
      const newestOf = (where: Filter<SbomDocument>, session: ClientSession) =>
        sboms.find(where, { session }).sort({ seq: -1 }).limit(1).next();
      return inTransaction(client, async (session) => {
        if (options.exceptLatest) {
          const newest = await newestOf(others, session);
          if (newest && ids.includes(newest._id)) return 'latest';
        }
        const tombstoned = await sboms.updateMany(
          { _id: { $in: ids }, ...others },
          { $set: { deleted_at: options.now } },
          { session },
        );
        const left = await newestOf(others, session);
        await services.updateOne(
          { _id: serviceId },
          {
            $set: { latest: left ? latestOf(left) : null },
            $inc: { deletes: 1, sbom_count: -tombstoned.modifiedCount },
          },
          { session },
        );
        return 'done';
      });
    },
  };
}
