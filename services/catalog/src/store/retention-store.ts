import type { IndexPlan } from '@bomtrail/mongo';
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

/** Position of a pass over all projects: the last processed service. */
export interface RetentionPass {
  project_id: string;
  /** Empty: no service of the project yet. */
  service_id: string;
}

const notDeleted = { deleted_at: { $exists: false } };
const start: RetentionPass = { project_id: '', service_id: '' };

export type RetentionStore = ReturnType<typeof createRetentionStore>;

/**
 * Reads for retention: projects with an effective retention, their services, the oldest SBOMs of a
 * service.
 */
export function createRetentionStore(db: Db) {
  const passes = db.collection<RetentionPass & { _id: string }>('retention_passes');
  const projects = db.collection<ProjectDocument>('projects');
  const services = db.collection<ServiceDocument>('services');
  const sboms = db.collection<SbomDocument>('sboms');

  return {
    /** Position of the interrupted pass. */
    pass: async (): Promise<RetentionPass> => (await passes.findOne({ _id: 'pass' })) ?? start,

    /** Null: the pass is finished, the next one begins at the first project. */
    async storePass(pass: RetentionPass | null): Promise<void> {
      const { project_id, service_id } = pass ?? start;
      await passes.updateOne(
        { _id: 'pass' },
        { $set: { project_id, service_id } },
        { upsert: true },
      );
    },

    /**
     * The next projects by id, including this one; without a default only those with own retention.
     */
    projectsFrom(id: string, options: { ownOnly: boolean; limit: number }) {
      const where: Filter<ProjectDocument> = { _id: { $gte: id } };
      const found = options.ownOnly
        ? projects.find({ ...where, retention: { $exists: true } }).hint('own_retention')
        : projects.find(where);
      return found.sort({ _id: 1 }).limit(options.limit).toArray();
    },

    /** The next services of a project that ever had more than one SBOM. */
    servicesAfter: (projectId: string, serviceId: string, limit: number) =>
      services
        .find({ project_id: projectId, _id: { $gt: serviceId }, seq: { $gt: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** Null: no SBOM of the service may be deleted, or it has none. */
    async landmarks(service: ServiceDocument, keepLast: number | null): Promise<Landmarks | null> {
      if (keepLast !== null && service.seq <= keepLast) return null;
      const newest = sboms.find({ service_id: service._id, ...notDeleted }).sort({ seq: -1 });
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
        .find({ service_id: service._id, scan_status: 'scanned', ...notDeleted })
        .sort({ seq: -1 })
        .limit(1)
        .toArray();
      const [passed] = await sboms
        .find({ service_id: service._id, gate_passed: { $exists: true, $ne: [] }, ...notDeleted })
        .sort({ seq: -1 })
        .limit(1)
        .toArray();
      const [latestScanned, latestPassed] = [scanned?.seq ?? null, passed?.seq ?? null];
      return { latest: latest.seq, scanned: latestScanned, passed: latestPassed, oldestOfLast };
    },

    /** The oldest retained SBOMs of a service without a pending scan or re-scan (K3, K6), before a sequence number. */
    oldest: ({ _id, expired_to = 0 }: ServiceDocument, before: number, limit: number) =>
      sboms
        .find({
          service_id: _id,
          seq: { $gt: expired_to, $lt: before },
          scan_status: { $ne: 'pending' },
          rescan: { $exists: false },
          expired: { $exists: false },
          ...notDeleted,
        })
        .sort({ seq: 1 })
        .limit(limit)
        .toArray(),

    /** Records up to which sequence number all SBOMs of a service are expired: `oldest` skips them. */
    async skipExpired({ _id, expired_to = 0 }: ServiceDocument): Promise<void> {
      const [first] = await sboms
        .find({ service_id: _id, seq: { $gt: expired_to }, expired: { $exists: false } })
        .sort({ seq: 1 })
        .limit(1)
        .toArray();
      if (!first) return;
      await services.updateOne({ _id }, { $max: { expired_to: first.seq - 1 } });
    },
  };
}
