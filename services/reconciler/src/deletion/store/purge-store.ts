import { inTransaction, type Database } from '@bomtrail/mongo';
import type { Collection, Filter } from 'mongodb';
import type {
  KnownProjectDocument,
  SbomVersionDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { createStatusCounts } from '../../tracking/store/status-counts';
import type { DeletionStore } from '../ports';

/** Services of a deleted project that are purged together. */
const servicesAtOnce = 200;

/** Removes what is hidden, a batch at a time. */
export function createPurges({
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
