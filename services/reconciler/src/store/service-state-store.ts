import type { SbomReference } from '@bomtrail/messages';
import {
  createKeyedMutex,
  inTransaction,
  isDuplicateKey,
  type Database,
  type IndexPlan,
} from '@bomtrail/service-kit';
import { maxVulnerabilitiesInMemory, TooLargeError } from '../domain/too-large-error';
import type { SbomVersion, TrackedVulnerability } from '../domain/types';
import type {
  ServiceStateDocument,
  SbomVersionDocument,
  TrackedVulnerabilityDocument,
} from './documents';
import { createProjectStore } from './project-store';
import { toVulnerability } from './vulnerability-mapping';
import { splitChange } from './split-change';
import { createChangeWriter, type ServiceChange, type StoredService } from './write-changes';

export const serviceStateIndexes: IndexPlan = {
  sbom_versions: [{ key: { service_id: 1, seq: 1 } }],
  tracked_vulnerabilities: [
    { key: { service_id: 1, package_key: 1 } },
    { key: { identity: 1, project_id: 1 } },
  ],
};

/**
 * Rows above which changes of lines are written one after the other: each row is some twenty entries of
 * indexes, and where those of several such transactions do not fit into the database's cache it rolls
 * them back again and again.
 */
const manyVulnerabilities = 500;
/**
 * Rows that one transaction of a line holds at most. MongoDB ends one that lasts longer than 15 s; 5,000
 * rows took up to 6 s of two cores that others kept busy.
 */
const vulnerabilitiesAtOnce = 2_000;
/** As `limit` of a question takes it. */
const unboundedVulnerabilities = 2 ** 31 - 2;

/** `lost`: somebody else wrote first. `deletion_state`: the project was deleted, or the line. */
export type SaveOutcome = 'saved' | 'lost' | 'deleted';

export type ServiceStateStore = ReturnType<typeof createServiceStateStore>;

/**
 * Ledger documents, logs and rows of version lines, always changed together.
 *
 * @param bounds `vulnerabilities`: how many one transaction holds at most, at least 1; `vulnerabilitiesRead`: how many rows of
 *   several packages are read at once
 */
export function createServiceStateStore(
  database: Database,
  bounds: { vulnerabilities?: number | undefined; vulnerabilitiesRead?: number | undefined } = {},
) {
  const {
    vulnerabilities: most = vulnerabilitiesAtOnce,
    vulnerabilitiesRead = maxVulnerabilitiesInMemory,
  } = bounds;
  const { db, client } = database;
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const projects = createProjectStore(database);
  const changes = createChangeWriter(db);
  const withKey = createKeyedMutex();

  /**
   * The empty ledger of a line, in a short transaction of its own, because all lines of a project wait
   * for each other in it. `deletion_state`: the project was deleted.
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

  /** The ledger of a line; null: nothing was written for it yet. `deletion_state`: the line was deleted. */
  async function state(serviceId: string): Promise<ServiceStateDocument | null | 'deleted'> {
    return asRead(await states.findOne({ _id: serviceId }));
  }

  /** Rows that may be read at once; a package cannot be divided. */
  const mostVulnerabilities = (packages: readonly string[] | undefined): number =>
    packages?.length === 1 ? unboundedVulnerabilities : vulnerabilitiesRead;

  /**
   * The rows of a line whose ledger was read before: what changes in between fails the ledger's
   * condition.
   *
   * @param packages the only ones whose rows are read; all when absent, no row when empty
   * @throws TooLargeError where these are too many, and not those of a single package
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
    if (found.length > most) throw new TooLargeError(`The line ${serviceId} has too many rows.`);
    return found.map(toVulnerability);
  }

  /** One transaction; false when the line is not as `before` any more. */
  async function saveOne(before: StoredService, change: ServiceChange): Promise<boolean> {
    const save = (): Promise<boolean> =>
      inTransaction(client, async (session) => {
        const written = await changes.write([{ before, change }], { session, begins: false });
        if (!written) await session.abortTransaction();
        return written;
      });
    try {
      return change.vulnerabilities.length > manyVulnerabilities
        ? await withKey('many rows', save)
        : await save();
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    state,
    vulnerabilities: vulnerabilitiesOf,
    mostVulnerabilities,
    vulnerabilitiesRead,

    /** A line with all of its rows. `deletion_state`: it was deleted. */
    async load(serviceId: string): Promise<StoredService | 'deleted'> {
      const read = await state(serviceId);
      if (read === 'deleted') return read;
      return { state: read, vulnerabilities: await vulnerabilitiesOf({ serviceId, state: read }) };
    },

    /** The newest scanned SBOM of each line, by line. */
    async headsOf(serviceIds: string[]): Promise<Map<string, SbomVersion | null>> {
      const found = await states
        .find({ _id: { $in: serviceIds } })
        .project<Pick<ServiceStateDocument, '_id' | 'head'>>({ head: 1 })
        .toArray();
      return new Map(found.map(({ _id, head }) => [_id, head]));
    },

    /** How many rows a line has in each package. */
    async packageCounts(serviceId: string): Promise<Map<string, number>> {
      const found = vulnerabilities.aggregate<{ _id: string; count: number }>([
        { $match: { service_id: serviceId } },
        { $group: { _id: '$package_key', count: { $sum: 1 } } },
      ]);
      return new Map((await found.toArray()).map(({ _id, count }) => [_id, count]));
    },

    sbomVersion: (sbomId: string) => sbomVersions.findOne({ _id: sbomId }),

    /** What the log holds under these ids. */
    async known(sbomIds: readonly string[]): Promise<Map<string, SbomVersionDocument>> {
      const found = await sbomVersions.find({ _id: { $in: [...sbomIds] } }).toArray();
      return new Map(found.map((document) => [document._id, document]));
    },

    /** The sequence numbers of the entries that exist, in order, from the last one before this number. */
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

    /** The entries that exist, in order. */
    async sbomVersions(serviceId: string): Promise<SbomVersion[]> {
      const documents = await sbomVersions
        .find({ service_id: serviceId, removed: { $exists: false } })
        .sort({ seq: 1 })
        .toArray();
      return documents.flatMap(toSbomVersions);
    },

    /**
     * Writes a change on condition that the line is still as `before`, in one transaction, or, where it has
     * too many rows for one, in several: see `splitChange`. `lost`: somebody else wrote first, maybe between
     * two of them; `deletion_state`: the project was deleted, or the line meanwhile.
     */
    async save(before: StoredService, change: ServiceChange): Promise<SaveOutcome> {
      if (!before.state) {
        const begun = await withKey(change.project_id, () => begin(change));
        if (begun === 'deleted') return begun;
      }
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
     * The lines of a project whose newest SBOM holds one of these aliases, and in which packages: the
     * rows that an acceptance changes.
     */
    async presentWith(
      projectId: string,
      identity: readonly string[],
    ): Promise<{ service_id: string; packages: string[] }[]> {
      const found = vulnerabilities.aggregate<{ _id: string; packages: string[] }>([
        {
          $match: {
            project_id: projectId,
            identity: { $in: identity },
            status: { $in: ['open', 'accepted'] },
          },
        },
        { $group: { _id: '$service_id', packages: { $addToSet: '$package_key' } } },
      ]);
      return (await found.toArray()).map(({ _id, packages }) => ({ service_id: _id, packages }));
    },

    /** A row by its id; one that was merged gives the row that stands for it. */
    async vulnerabilityById(
      id: string,
    ): Promise<(TrackedVulnerabilityDocument & { _id: string }) | null> {
      const vulnerability = await vulnerabilities.findOne({ _id: id });
      return vulnerability?.merged_into
        ? this.vulnerabilityById(vulnerability.merged_into)
        : vulnerability;
    },
  };
}

/** A ledger as changes of its line see it: one to which nothing was written yet is none. */
export function asRead(
  state: ServiceStateDocument | null | undefined,
): ServiceStateDocument | null | 'deleted' {
  if (state?.deletion_state) return 'deleted';
  return state && state.version > 0 ? state : null;
}

/** The SBOM of a scan as an entry of the log. */
export function sbomVersionOf({ sbom_id, seq, digest, created_at }: SbomReference): SbomVersion {
  return { sbom_id, seq, digest, created_at };
}

/** The same as it is stored. */
export function versionDocument(scan: SbomReference): SbomVersionDocument {
  const { sbom_id, ...sbomVersion } = sbomVersionOf(scan);
  return { _id: sbom_id, service_id: scan.service_id, project_id: scan.project_id, ...sbomVersion };
}

/** An entry of the log as the rules read it; nothing where it was removed. */
export function toSbomVersions(document: SbomVersionDocument): SbomVersion[] {
  if ('removed' in document) return [];
  const { _id, seq, digest, created_at } = document;
  return [{ sbom_id: _id, seq, digest, created_at }];
}
