import type { Database, IndexPlan } from '@bomtrail/mongo';
import { maxVulnerabilitiesInMemory } from '../domain/too-large-error';
import { presentStatuses } from '../domain/decisions';
import type { SbomVersion, TrackedVulnerability, Service } from '../domain/types';
import type { ServiceStates, DetailsStore } from '../ports';
import { createDetailsStore } from './details-store';
import type {
  SbomVersionDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from './documents';
import { followMerges } from './follow-merges';
import { createServiceReads } from './service-reads';
import { createServiceSaver } from './service-saver';

export const serviceStateIndexes: IndexPlan = {
  sbom_versions: [{ key: { service_id: 1, seq: 1 } }],
};

/**
 * The maximum number of vulnerabilities in one transaction. MongoDB aborts transactions after 15 s; 5,000
 * vulnerabilities took up to 6 s on two busy cores.
 */
const vulnerabilitiesAtOnce = 2_000;

/** Service states, SBOM versions and vulnerabilities of services, always changed together. */
export interface ServiceStateStore extends ServiceStates {
  /**
   * Records that the findings of these versions are gone. Their presence is stored with the vulnerabilities, so no other
   * write depends on it. Idempotent.
   */
  expire(serviceId: string, sbomIds: readonly string[]): Promise<void>;
  /** The newest scanned SBOM of each service. */
  headsOf(serviceIds: readonly string[]): Promise<Map<string, BriefSbomVersion | null>>;
  /**
   * The services of a project whose newest SBOM contains one of these aliases, and the packages: what an acceptance
   * changes. It applies to current aliases (R13), which the details name.
   *
   * @param projectId undefined: all projects
   */
  presentWith(
    projectId: string | undefined,
    identity: readonly string[],
  ): Promise<(Service & { packages: string[] })[]>;
  /**
   * Services of a project that contain a vulnerability in their newest SBOM.
   *
   * @param services undefined: whichever
   */
  presentIn(projectId: string, services?: readonly string[]): Promise<string[]>;
  /** The vulnerability with an id, following merges. */
  vulnerabilityById(id: string): Promise<(TrackedVulnerability & Service) | null>;
}

/** Which SBOM, and when it was uploaded. */
export type BriefSbomVersion = Pick<SbomVersion, 'sbom_id' | 'created_at'>;

/**
 * Creates a store with batches of its own, so that its callers do not wait for those of another one.
 *
 * @param options `vulnerabilities`: maximum in one transaction, at least 1; `vulnerabilitiesRead`: maximum read at once,
 *   unless they are of a single package. `details`: shared with those who save details
 */
export function createServiceStateStore(
  database: Database,
  options: {
    vulnerabilities?: number | undefined;
    vulnerabilitiesRead?: number | undefined;
    details?: DetailsStore;
  } = {},
): ServiceStateStore {
  const { db } = database;
  const details = options.details ?? createDetailsStore(db);
  const states = db.collection<ServiceStateDocument>('service_states');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const most = options.vulnerabilitiesRead ?? maxVulnerabilitiesInMemory;
  const reads = createServiceReads(db, details, most);

  return {
    ...reads,
    save: createServiceSaver(database, details, options.vulnerabilities ?? vulnerabilitiesAtOnce),

    async vulnerabilityById(id) {
      const read = (ids: string[]) => vulnerabilities.find({ _id: { $in: ids } }).toArray();
      const found = (await followMerges([id], read))(id);
      if (!found) return null;
      const { service_id, project_id } = found;
      const [vulnerability] = await details.toVulnerabilities([found]);
      return vulnerability ? { ...vulnerability, service_id, project_id } : null;
    },

    async expire(serviceId, sbomIds) {
      const where = {
        _id: { $in: [...sbomIds] },
        service_id: serviceId,
        removed: { $exists: false },
      };
      await sbomVersions.updateMany(where, { $set: { expired: true } });
    },

    async headsOf(serviceIds) {
      const found = await states
        .find({ _id: { $in: [...serviceIds] } })
        .project<{ _id: string; head?: BriefSbomVersion }>({
          'head.sbom_id': 1,
          'head.created_at': 1,
        })
        .toArray();
      return new Map(found.map(({ _id, head = null }) => [_id, head]));
    },

    async presentIn(project_id, services) {
      const status = { $in: [...presentStatuses] };
      const where = { project_id, status, ...(services && { service_id: { $in: [...services] } }) };
      const found = vulnerabilities.aggregate<{ _id: string }>([
        { $match: where },
        { $group: { _id: '$service_id' } },
      ]);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async presentWith(projectId, identity) {
      const where = {
        details_id: { $in: await details.naming(identity) },
        status: { $in: [...presentStatuses] },
        ...(projectId !== undefined && { project_id: projectId }),
      };
      const packages = { $addToSet: '$package_key' };
      const project_id = { $first: '$project_id' };
      return vulnerabilities
        .aggregate<Service & { packages: string[] }>([
          { $match: where },
          { $group: { _id: '$service_id', project_id, packages } },
          { $project: { _id: 0, service_id: '$_id', project_id: 1, packages: 1 } },
        ])
        .toArray();
    },
  };
}
