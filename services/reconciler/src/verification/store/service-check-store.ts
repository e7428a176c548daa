import { inTransaction, type Database } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import {
  allProjects,
  type AcceptanceDocument,
  type DetailsDocument,
  type ServiceStateDocument,
  type SbomVersionDocument,
  type TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import type { BulkDocument } from '../../decisions/ports';
import { factsOf, type DetailsFacts } from '../../tracking/store/details-document';
import type { StatusCounts } from '../../tracking/store/count-keys';
import { createStatusCounts } from '../../tracking/store/status-counts';
import type { Service } from '../../tracking/domain/types';

/** Stored details. `has_open`: the active list includes them. */
export interface StoredDetails {
  facts: DetailsFacts;
  has_open: boolean;
}

/** All stored data of a service, from one snapshot. */
export interface WholeService {
  state: ServiceStateDocument | null;
  vulnerabilities: TrackedVulnerabilityDocument[];
  /** The details that they refer to, as far as they are stored. */
  details: ReadonlyMap<string, StoredDetails>;
  /** By id, including tombstones. */
  sbomVersions: SbomVersionDocument[];
  /** All acceptances whose scope includes the service, including inactive ones. */
  acceptances: AcceptanceDocument[];
  /** A bulk decision in its project is not applied everywhere yet. */
  isBulkRunning: boolean;
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
  const jobs = db.collection<BulkDocument>('bulk_decisions');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  const counted = createStatusCounts(db);

  async function read(service: Service, session?: ClientSession): Promise<WholeService> {
    const { service_id, project_id } = service;
    const state = await states.findOne({ _id: service_id }, { session });
    const found = await acceptances
      .aggregate<AcceptanceDocument & { now: Date }>(
        [
          {
            $match: {
              project_id: { $in: [project_id, allProjects] },
              services: { $in: [null, service_id] },
            },
          },
          { $set: { now: '$$NOW' } },
        ],
        { session },
      )
      .toArray();
    const running = { project_id, state: { $in: ['storing' as const, 'applying' as const] } };
    const bulk = await jobs.findOne(running, { session });
    const rows = await vulnerabilities.find({ service_id }, { session }).sort({ _id: 1 }).toArray();
    const ids = new Set(rows.flatMap(({ details_id }) => details_id ?? []));
    const stored = await details.find({ _id: { $in: [...ids] } }, { session }).toArray();
    return {
      state,
      sbomVersions: await sbomVersions.find({ service_id }, { session }).sort({ _id: 1 }).toArray(),
      vulnerabilities: rows,
      details: new Map(
        stored.map((one) => [one._id, { facts: factsOf(one), has_open: one.has_open }]),
      ),
      acceptances: found,
      isBulkRunning: bulk !== null,
      now: found[0]?.now ?? new Date(),
    };
  }

  return {
    /** Reads a service from one snapshot. */
    read: (service: Service): Promise<WholeService> =>
      client.withSession({ snapshot: true }, (session) => read(service, session)),

    /**
     * Reads a service without a snapshot. The version is read first, so a concurrent write is detected on
     * save.
     */
    readLoose: (service: Service): Promise<WholeService> => read(service),

    /** The version on which every write to the service depends; null if there is no service state. */
    async version(serviceId: string): Promise<number | null> {
      return (await states.findOne({ _id: serviceId }))?.version ?? null;
    },

    /**
     * The open vulnerabilities of all services by severity: the stored total, and the sum over the service
     * states.
     */
    openTotals: (): Promise<{ total: StatusCounts; sum: StatusCounts }> =>
      client.withSession({ snapshot: true }, async (session) => ({
        total: await counted.all(session),
        sum: await counted.sumOver({}, session),
      })),

    /** Sets the total to the sum over the service states. */
    repairOpenTotals: (): Promise<unknown> => inTransaction(client, counted.correctTotal),

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
