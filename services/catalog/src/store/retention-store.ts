import type { IndexPlan } from '@bomtrail/service-kit';
import type { Db, Filter } from 'mongodb';
import type { Landmarks } from '../domain/retention';
import type { ServiceDocument, ProjectDocument, SbomDocument } from './documents';

export const retentionIndexes: IndexPlan = {
  projects: [
    {
      key: { _id: 1, 'retention.keep_last': 1 },
      partialFilterExpression: { retention: { $exists: true } },
      name: 'own_retention',
    },
  ],
  services: [{ key: { project_id: 1, _id: 1 } }],
  sboms: [
    {
      key: { service_id: 1, seq: -1 },
      partialFilterExpression: { scan_status: 'scanned' },
      name: 'scanned',
    },
  ],
};

/** How far a pass over all projects has come: this line of this project was looked at last. */
export interface RetentionPass {
  project_id: string;
  /** Empty: none of the project yet. */
  service_id: string;
}

const alive = { deleted_at: { $exists: false } };
const start: RetentionPass = { project_id: '', service_id: '' };

export type RetentionStore = ReturnType<typeof createRetentionStore>;

/** What retention looks at: projects with a retention in force, their lines, the oldest SBOMs of a line. */
export function createRetentionStore(db: Db) {
  const passes = db.collection<RetentionPass & { _id: string }>('retention_passes');
  const projects = db.collection<ProjectDocument>('projects');
  const services = db.collection<ServiceDocument>('services');
  const sboms = db.collection<SbomDocument>('sboms');

  return {
    /** Where the pass that was interrupted goes on. */
    pass: async (): Promise<RetentionPass> => (await passes.findOne({ _id: 'pass' })) ?? start,

    /** Null: the pass is over, the next one begins at the first project. */
    async keepPass(pass: RetentionPass | null): Promise<void> {
      const { project_id, service_id } = pass ?? start;
      await passes.updateOne(
        { _id: 'pass' },
        { $set: { project_id, service_id } },
        { upsert: true },
      );
    },

    /** The next projects in the order of their ids, from this one on; only those with a retention of their own where there is no default. */
    projectsFrom(id: string, options: { ownOnly: boolean; limit: number }) {
      const where: Filter<ProjectDocument> = { _id: { $gte: id } };
      const found = options.ownOnly
        ? projects.find({ ...where, retention: { $exists: true } }).hint('own_retention')
        : projects.find(where);
      return found.sort({ _id: 1 }).limit(options.limit).toArray();
    },

    /** The next lines of a project that have had more than one SBOM. */
    servicesAfter: (projectId: string, serviceId: string, limit: number) =>
      services
        .find({ project_id: projectId, _id: { $gt: serviceId }, seq: { $gt: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** Null: nothing of the line may be dropped whatever its age, or it has no SBOM. */
    async landmarks(service: ServiceDocument, keepLast: number | null): Promise<Landmarks | null> {
      if (keepLast !== null && service.seq <= keepLast) return null;
      const newest = sboms.find({ service_id: service._id, ...alive }).sort({ seq: -1 });
      const [latest] = await newest.clone().limit(1).toArray();
      if (!latest) return null;
      let oldestOfLast: number | null = null;
      if (keepLast !== null) {
        const [last, another] = await newest
          .clone()
          .project<{ seq: number }>({ seq: 1 })
          .skip(keepLast - 1)
          .limit(2)
          .toArray();
        if (!last || !another) return null;
        oldestOfLast = last.seq;
      }
      const [scanned] = await sboms
        .find({ service_id: service._id, scan_status: 'scanned', ...alive })
        .sort({ seq: -1 })
        .limit(1)
        .toArray();
      return { latest: latest.seq, scanned: scanned?.seq ?? null, oldestOfLast };
    },

    /** The oldest SBOMs of a line that are not pending, before a sequence number. */
    oldest: (serviceId: string, before: number, limit: number) =>
      sboms
        .find({
          service_id: serviceId,
          seq: { $lt: before },
          scan_status: { $ne: 'pending' },
          ...alive,
        })
        .sort({ seq: 1 })
        .limit(limit)
        .toArray(),
  };
}
