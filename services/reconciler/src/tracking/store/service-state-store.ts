import type { SbomReference } from '@bomtrail/messages';
import { createKeyedMutex } from '@bomtrail/concurrency';
import { inTransaction, isDuplicateKey, type Database, type IndexPlan } from '@bomtrail/mongo';
import { maxVulnerabilitiesInMemory, TooLargeError } from '../domain/too-large-error';
import type { SbomVersion, TrackedVulnerability } from '../domain/types';
import type {
  ServiceStateDocument,
  SbomVersionDocument,
  TrackedVulnerabilityDocument,
} from './documents';
import { createDetailsStore, type DetailsStore } from './details-store';
import { createProjectStore } from './project-store';
import { splitChange } from './split-change';
import {
  createChangeWriter,
  openDetails,
  type ServiceChange,
  type StoredService,
} from './write-changes';

export const serviceStateIndexes: IndexPlan = {
  sbom_versions: [{ key: { service_id: 1, seq: 1 } }],
};

/**
 * Larger changes are written one at a time: if several such transactions do not fit into the database cache,
 * it rolls them back repeatedly.
 */
const manyVulnerabilities = 500;
/**
 * The maximum number of vulnerabilities in one transaction. MongoDB aborts transactions after 15 s; 5,000
 * vulnerabilities took up to 6 s on two busy cores.
 */
const vulnerabilitiesAtOnce = 2_000;
/** As a query `limit`. */
const unboundedVulnerabilities = 2 ** 31 - 2;

/** `lost`: another process wrote first. `deleted`: the project or the service was deleted. */
export type SaveOutcome = 'saved' | 'lost' | 'deleted';

export type ServiceStateStore = ReturnType<typeof createServiceStateStore>;

/**
 * Service states, SBOM versions and vulnerabilities of services, always changed together.
 *
 * @param bounds `vulnerabilities`: maximum in one transaction, at least 1; `vulnerabilitiesRead`: maximum
 *   read at once, unless they are of a single package. `details`: shared with those who save details
 */
export function createServiceStateStore(
  database: Database,
  options: {
    vulnerabilities?: number | undefined;
    vulnerabilitiesRead?: number | undefined;
    details?: DetailsStore;
  } = {},
) {
  const {
    vulnerabilities: most = vulnerabilitiesAtOnce,
    vulnerabilitiesRead = maxVulnerabilitiesInMemory,
    details = createDetailsStore(database.db),
  } = options;
  const { db, client } = database;
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const projects = createProjectStore(database);
  const changes = createChangeWriter(db);
  const withKey = createKeyedMutex();

  /**
   * Creates the empty state of a service in a short transaction, because services of one project wait for
   * each other in it. `deleted`: the project was deleted.
   */
  async function begin({ service_id, project_id }: ServiceChange): Promise<'begun' | 'deleted'> {
    const empty = { _id: service_id, project_id, version: 0, head: null, revision: 0 };
    try {
      return await projects.addTo(project_id, async (session) => {
        await states.insertOne(empty, { session });
        return 'begun' as const;
      });
    } catch (error) {
      if (isDuplicateKey(error)) return 'begun';
      throw error;
    }
  }

  /** The state of a service; null if nothing was written yet. */
  async function state(serviceId: string): Promise<ServiceStateDocument | null | 'deleted'> {
    return asRead(await states.findOne({ _id: serviceId }));
  }

  /** A package cannot be divided, so one package alone is unbounded. */
  const mostVulnerabilities = (packages: readonly string[] | undefined): number =>
    packages?.length === 1 ? unboundedVulnerabilities : vulnerabilitiesRead;

  /**
   * The vulnerabilities of a service whose state was read before; a change in between fails the condition on
   * save.
   *
   * @param packages limits the result to these packages; none if empty
   * @throws TooLargeError if there are too many, and not of a single package
   */
  async function vulnerabilitiesOf(
    { serviceId, state: read }: { serviceId: string; state: ServiceStateDocument | null },
    packages?: readonly string[],
  ): Promise<TrackedVulnerability[]> {
    if (!read || packages?.length === 0) return [];
    const scope = packages ? { package_key: { $in: [...packages] } } : {};
    const most = mostVulnerabilities(packages);
    const found = await vulnerabilities
      .find({ service_id: serviceId, ...scope }, { limit: most + 1 })
      .toArray();
    if (found.length > most)
      throw new TooLargeError(`The service ${serviceId} has too many vulnerabilities.`);
    return details.toVulnerabilities(found);
  }

  /** Saves in one transaction; false if the service is not as `before` any more. */
  async function saveOne(before: StoredService, change: ServiceChange): Promise<boolean> {
    const save = (): Promise<boolean> =>
      inTransaction(client, async (session) => {
        const written = await changes.write([{ before, change }], { session, begins: false });
        if (!written) await session.abortTransaction();
        return written;
      });
    try {
      return change.vulnerabilities.length > manyVulnerabilities
        ? await withKey('large changes', save)
        : await save();
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    details,
    state,
    vulnerabilities: vulnerabilitiesOf,
    mostVulnerabilities,
    vulnerabilitiesRead,

    /** A service with all its vulnerabilities. */
    async load(serviceId: string): Promise<StoredService | 'deleted'> {
      const read = await state(serviceId);
      if (read === 'deleted') return read;
      return { state: read, vulnerabilities: await vulnerabilitiesOf({ serviceId, state: read }) };
    },

    /** The newest scanned SBOM of each service. */
    async headsOf(serviceIds: string[]): Promise<Map<string, SbomVersion | null>> {
      const found = await states
        .find({ _id: { $in: serviceIds } })
        .project<Pick<ServiceStateDocument, '_id' | 'head'>>({ head: 1 })
        .toArray();
      return new Map(found.map(({ _id, head }) => [_id, head]));
    },

    /** The number of vulnerabilities by package. */
    async packageCounts(serviceId: string): Promise<Map<string, number>> {
      const found = vulnerabilities.aggregate<{ _id: string; count: number }>([
        { $match: { service_id: serviceId } },
        { $group: { _id: '$package_key', count: { $sum: 1 } } },
      ]);
      return new Map((await found.toArray()).map(({ _id, count }) => [_id, count]));
    },

    sbomVersion: (sbomId: string) => sbomVersions.findOne({ _id: sbomId }),

    /** The stored SBOM versions and tombstones with these ids. */
    async known(sbomIds: readonly string[]): Promise<Map<string, SbomVersionDocument>> {
      const found = await sbomVersions.find({ _id: { $in: [...sbomIds] } }).toArray();
      return new Map(found.map((document) => [document._id, document]));
    },

    /**
     * Records that the findings of these versions are gone. Their presence is stored with the vulnerabilities,
     * so no other write depends on it. Idempotent.
     */
    async expire(serviceId: string, sbomIds: readonly string[]): Promise<void> {
      await sbomVersions.updateMany(
        { _id: { $in: [...sbomIds] }, service_id: serviceId, removed: { $exists: false } },
        { $set: { expired: true } },
      );
    },

    /** The sequence numbers from the last existing version before `seq` on, in order. */
    async seqsAround(serviceId: string, seq: number): Promise<number[]> {
      const ofService = { service_id: serviceId, removed: { $exists: false } };
      const only = { projection: { seq: 1 } };
      const [before, pendingUpdates] = await Promise.all([
        sbomVersions
          .find({ ...ofService, seq: { $lt: seq } }, only)
          .sort({ seq: -1 })
          .limit(1)
          .toArray(),
        sbomVersions
          .find({ ...ofService, seq: { $gt: seq } }, only)
          .sort({ seq: 1 })
          .toArray(),
      ]);
      return [...before, ...pendingUpdates].flatMap((one) => ('seq' in one ? [one.seq] : []));
    },

    /** The existing versions, in order. */
    async sbomVersions(serviceId: string): Promise<SbomVersion[]> {
      const documents = await sbomVersions
        .find({ service_id: serviceId, removed: { $exists: false } })
        .sort({ seq: 1 })
        .toArray();
      return documents.flatMap(toSbomVersions);
    },

    /**
     * Writes a change if the service is still as `before`, in one transaction or, if it has too many
     * vulnerabilities, in several (see `splitChange`). `lost`: another process wrote first, maybe between two
     * parts; `deleted`: the project or the service was deleted.
     */
    async save(before: StoredService, change: ServiceChange): Promise<SaveOutcome> {
      if (!before.state) {
        const begun = await withKey(change.project_id, () => begin(change));
        if (begun === 'deleted') return begun;
      }
      await details.use(openDetails(change));
      const version = before.state?.version ?? 0;
      const parts = splitChange(before, change, most);
      for (const [written, part] of parts.entries()) {
        const now = written === 0 ? before.state : await state(change.service_id);
        if (now === 'deleted') return now;
        if ((now?.version ?? 0) !== version + written) return 'lost';
        if (!(await saveOne({ state: now, vulnerabilities: before.vulnerabilities }, part)))
          return 'lost';
      }
      return 'saved';
    },

    /**
     * The services of a project whose newest SBOM contains one of these aliases, and the packages: what an
     * acceptance changes. It applies to current aliases (R13), which the details name.
     */
    async presentWith(
      projectId: string,
      identity: readonly string[],
    ): Promise<{ service_id: string; packages: string[] }[]> {
      const found = vulnerabilities.aggregate<{ _id: string; packages: string[] }>([
        {
          $match: {
            details_id: { $in: await details.naming(identity) },
            status: { $in: ['open', 'accepted'] },
            project_id: projectId,
          },
        },
        { $group: { _id: '$service_id', packages: { $addToSet: '$package_key' } } },
      ]);
      return (await found.toArray()).map(({ _id, packages }) => ({ service_id: _id, packages }));
    },

    /** The vulnerability with an id, following merges. */
    async vulnerabilityById(
      id: string,
    ): Promise<(TrackedVulnerability & { service_id: string; project_id: string }) | null> {
      const found = await vulnerabilities.findOne({ _id: id });
      if (!found) return null;
      if (found.merged_into) return this.vulnerabilityById(found.merged_into);
      const { service_id, project_id } = found;
      const [vulnerability] = await details.toVulnerabilities([found]);
      return vulnerability ? { ...vulnerability, service_id, project_id } : null;
    },
  };
}

/** The state as changes see it: null until something was written. */
export function asRead(
  state: ServiceStateDocument | null | undefined,
): ServiceStateDocument | null | 'deleted' {
  if (state?.deletion_state) return 'deleted';
  return state && state.version > 0 ? state : null;
}

/** The SBOM version of a scan. */
export function sbomVersionOf(scan: SbomReference): SbomVersion {
  const { sbom_id, seq, digest, created_at, scanned_at } = scan;
  return { sbom_id, seq, digest, created_at, ...(scanned_at && { scanned_at }) };
}

/** The SBOM version of a scan as it is stored. */
export function versionDocument(scan: SbomReference): SbomVersionDocument {
  const { sbom_id, ...sbomVersion } = sbomVersionOf(scan);
  return { _id: sbom_id, service_id: scan.service_id, project_id: scan.project_id, ...sbomVersion };
}

/** A stored SBOM version as the rules read it; empty for a tombstone. */
export function toSbomVersions(document: SbomVersionDocument): SbomVersion[] {
  if ('removed' in document) return [];
  const { _id, seq, digest, created_at, scanned_at, expired } = document;
  const known = { ...(scanned_at && { scanned_at }), ...(expired && { expired }) };
  return [{ sbom_id: _id, seq, digest, created_at, ...known }];
}
