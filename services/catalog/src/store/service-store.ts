import { inTransaction, type Database, type IndexPlan } from '@bomtrail/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import { latestOf } from '../domain/duplicate';
import { manyBatched } from './batched';
import { movedCount } from './counted';
import type { ServiceDocument, SbomDocument } from './documents';

export const serviceIndexes: IndexPlan = {
  services: [{ key: { project_id: 1, name: 1 }, unique: true }],
};

type ServiceName = Pick<ServiceDocument, '_id' | 'project_id' | 'name'>;

export type ServiceStore = ReturnType<typeof createServiceStore>;

/** Version lines: the heads that put the SBOMs of a service in order. */
export function createServiceStore(database: Database) {
  const { db, client } = database;
  const services = db.collection<ServiceDocument>('services');
  const sboms = db.collection<SbomDocument>('sboms');

  return {
    byId: (id: string) => services.findOne({ _id: id }),

    byIds: (ids: string[]) => services.find({ _id: { $in: ids } }).toArray(),

    /** What names lines; what several ask for at the same moment is one question. */
    namesOf: manyBatched<ServiceName>((ids) =>
      services
        .find({ _id: { $in: ids } })
        .project<ServiceName>({ project_id: 1, name: 1 })
        .toArray(),
    ),

    /** By id, behind `after`; of one project or of all. */
    page: (where: { project_id?: string | undefined; after: string | null }, limit: number) =>
      services
        .find({
          _id: { $gt: where.after ?? '' },
          ...(where.project_id === undefined ? {} : { project_id: where.project_id }),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** Those of these lines that are there: a deleted one is not. */
    async thatExist(ids: string[]): Promise<Set<string>> {
      return new Set(await services.distinct('_id', { _id: { $in: ids } }));
    },

    /** The services of a project, by name, of which each has its own; the project's own line is none. */
    servicesOf: (projectId: string) =>
      services
        .find({ project_id: projectId, name: { $type: 'string' } })
        .hint({ project_id: 1, name: 1 })
        .sort({ name: 1 })
        .toArray(),

    /** SBOMs of a project, by the counts of its lines; null while one of them is not counted. */
    async countOf(projectId: string): Promise<number | null> {
      const [sum] = await services
        .aggregate<{ sboms: number; uncounted: number }>([
          { $match: { project_id: projectId } },
          {
            $group: {
              _id: null,
              sboms: { $sum: '$counted.sboms' },
              uncounted: { $sum: { $cond: [{ $eq: ['$counted.seq', '$seq'] }, 0, 1] } },
            },
          },
        ])
        .toArray();
      if (!sum) return 0;
      return sum.uncounted === 0 ? sum.sboms : null;
    },

    /** Counts the SBOMs of lines whose number is not known, some of them. Gives how many lines. */
    async fillCounts(limit: number): Promise<number> {
      const uncounted = { $expr: { $ne: ['$counted.seq', '$seq'] } };
      const found = await services.find(uncounted).limit(limit).toArray();
      for (const { _id } of found) {
        await inTransaction(client, async (session) => {
          const where = { service_id: _id, deleted_at: { $exists: false } };
          const count = await sboms.countDocuments(where, { session });
          await services.updateOne(
            { _id },
            [{ $set: { counted: { sboms: { $literal: count }, seq: '$seq' } } }],
            { session },
          );
        });
      }
      return found.length;
    },

    /**
     * Lays tombstones on SBOMs of one line and lets its head point at the newest one that is left.
     * Repeating it changes nothing. The head is moved by every delete, so that of two at the same time
     * one sees the other.
     *
     * @param options `notTheLatest`: nothing is done, and `latest` given, where the newest one is among them
     */
    bury(
      serviceId: string,
      sbomIds: readonly string[],
      options: { now: Date; notTheLatest?: boolean },
    ): Promise<'done' | 'latest'> {
      const ids = [...sbomIds];
      const others = { service_id: serviceId, deleted_at: { $exists: false } };
      const newestOf = (where: Filter<SbomDocument>, session: ClientSession) =>
        sboms.find(where, { session }).sort({ seq: -1 }).limit(1).next();
      return inTransaction(client, async (session) => {
        if (options.notTheLatest) {
          const newest = await newestOf(others, session);
          if (newest && ids.includes(newest._id)) return 'latest';
        }
        const buried = await sboms.updateMany(
          { _id: { $in: ids }, ...others },
          { $set: { deleted_at: options.now } },
          { session },
        );
        const left = await newestOf(others, session);
        await services.updateOne(
          { _id: serviceId },
          [
            {
              $set: {
                latest: { $literal: left ? latestOf(left) : null },
                deletes: { $add: [{ $ifNull: ['$deletes', 0] }, 1] },
                ...movedCount(-buried.modifiedCount, '$seq'),
              },
            },
          ],
          { session },
        );
        return 'done';
      });
    },
  };
}
