import { inTransaction, type Database } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import type {
  AcceptanceDocument,
  DetailsDocument,
  ServiceStateDocument,
  SbomVersionDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { addTo, createOpenCounts, type OpenCounts } from '../../tracking/store/open-counts';

/** All stored data of a service, from one snapshot. */
export interface WholeService {
  state: ServiceStateDocument | null;
  vulnerabilities: TrackedVulnerabilityDocument[];
  /** By id, including tombstones. */
  sbomVersions: SbomVersionDocument[];
  /** All acceptances whose scope includes the service, including inactive ones. */
  acceptances: AcceptanceDocument[];
  /** By the clock of the database server. */
  now: Date;
}

export type ServiceCheckStore = ReturnType<typeof createServiceCheckStore>;

/** Reads the stored data of services in any state, for verification. */
export function createServiceCheckStore(database: Database) {
  const { db, client } = database;
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  const counted = createOpenCounts(db);

  async function read(
    service: { service_id: string; project_id: string },
    session?: ClientSession,
  ): Promise<WholeService> {
    const { service_id, project_id } = service;
    const state = await states.findOne({ _id: service_id }, { session });
    const found = await acceptances
      .aggregate<AcceptanceDocument & { now: Date }>(
        [
          { $match: { project_id, service_id: { $in: [null, service_id] } } },
          { $set: { now: '$$NOW' } },
        ],
        { session },
      )
      .toArray();
    return {
      state,
      sbomVersions: await sbomVersions.find({ service_id }, { session }).sort({ _id: 1 }).toArray(),
      vulnerabilities: await vulnerabilities
        .find({ service_id }, { session })
        .sort({ _id: 1 })
        .toArray(),
      acceptances: found,
      now: found[0]?.now ?? new Date(),
    };
  }

  return {
    /** Reads a service from one snapshot. */
    read: (service: { service_id: string; project_id: string }): Promise<WholeService> =>
      client.withSession({ snapshot: true }, (session) => read(service, session)),

    /**
     * Reads a service without a snapshot. The version is read first, so a concurrent write is detected on
     * save.
     */
    readLoose: (service: { service_id: string; project_id: string }): Promise<WholeService> =>
      read(service),

    /** The version on which every write to the service depends; null if there is no service state. */
    async version(serviceId: string): Promise<number | null> {
      return (await states.findOne({ _id: serviceId }))?.version ?? null;
    },

    /** The hashes without stored details. */
    async missingDetails(hashes: readonly string[]): Promise<string[]> {
      const distinct = [...new Set(hashes)];
      const found = await details
        .find({ _id: { $in: distinct } })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      const there = new Set(found.map(({ _id }) => _id));
      return distinct.filter((hash) => !there.has(hash));
    },

    /**
     * The open vulnerabilities of all services by severity: the stored total, and the sum over the service
     * states.
     */
    openTotals: (): Promise<{ total: OpenCounts; sum: OpenCounts }> =>
      client.withSession({ snapshot: true }, async (session) => ({
        total: await counted.all(session),
        sum: await counted.sumOver({}, session),
      })),

    /** Sets the total to the sum over the service states. */
    repairOpenTotals: (): Promise<void> =>
      inTransaction(client, async (session) => {
        const change: OpenCounts = {};
        addTo(change, await counted.sumOver({}, session), 1);
        addTo(change, await counted.all(session), -1);
        await counted.add(change, session);
      }),

    /** Ids of services with a state, in order, with their projects; of one project or all. */
    statesAfter: (
      where: { project_id?: string | undefined; after: string | null },
      limit: number,
    ): Promise<Pick<ServiceStateDocument, '_id' | 'project_id'>[]> =>
      states
        .find({
          _id: { $gt: where.after ?? '' },
          ...(where.project_id === undefined ? {} : { project_id: where.project_id }),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .project<Pick<ServiceStateDocument, '_id' | 'project_id'>>({ project_id: 1 })
        .toArray(),

    /** Services between two ids (`to` null: to the end) with vulnerabilities or SBOM versions. */
    async servicesWithAnything(after: string | null, to: string | null): Promise<string[]> {
      const service_id = { $gt: after ?? '', ...(to === null ? {} : { $lte: to }) };
      const found = await Promise.all([
        vulnerabilities.distinct('service_id', { service_id }),
        sbomVersions.distinct('service_id', { service_id }),
      ]);
      return [...new Set(found.flat())].sort();
    },

    /** The project stored with a service; null if nothing is stored. */
    async projectOf(serviceId: string): Promise<string | null> {
      const one =
        (await states.findOne({ _id: serviceId })) ??
        (await vulnerabilities.findOne({ service_id: serviceId })) ??
        (await sbomVersions.findOne({ service_id: serviceId }));
      return one?.project_id ?? null;
    },
  };
}
