import { createBatcher } from '@bomtrail/concurrency';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { Document } from 'mongodb';
import { anyDue } from '../../decisions/store/pending-acceptances';
import { maxVulnerabilitiesInMemory } from '../../tracking/domain/too-large-error';
import type { TrackedVulnerability } from '../../tracking/domain/types';
import type { DetailsStore } from '../../tracking/ports';
import type {
  SbomVersionDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { asRead, servicesAtOnce } from '../../tracking/store/service-reads';
import { toVulnerability } from '../../tracking/store/vulnerability-mapping';

/** A service and some of its SBOM versions. */
export interface SnapshotQuery {
  serviceId: string;
  sbomIds: readonly string[];
}

/** What is stored about a service, all of one moment. */
export interface ServiceSnapshot {
  /** Null: nothing was written yet. */
  state: ServiceStateDocument | null | 'deleted';
  /** Null: too many for memory. */
  vulnerabilities: TrackedVulnerability[] | null;
  /** The requested SBOM versions that are known, by id. */
  sbomVersions: ReadonlyMap<string, SbomVersionDocument>;
  /** The projects with expired acceptances that the vulnerabilities still reflect. */
  projectsWithDue: readonly string[];
}

export type ReadServiceSnapshot = (query: SnapshotQuery) => Promise<ServiceSnapshot>;

/** A row of the one command: a vulnerability as it is stored, or one of the others. */
type Row =
  | TrackedVulnerabilityDocument
  | { state: ServiceStateDocument }
  | { sbom_version: SbomVersionDocument }
  | { due: string };

const documentsPerRead = 5_000;

/** Reads snapshots of services, concurrent ones in one command. */
export function createServiceSnapshots(
  { db, client }: Database,
  details: Pick<DetailsStore, 'facts'>,
): ReadServiceSnapshot {
  const states = db.collection<ServiceStateDocument>('service_states');

  return createBatcher(async (queries: SnapshotQuery[]) => {
    const pipeline = pipelineOf(
      queries.map(({ serviceId }) => serviceId),
      queries.flatMap(({ sbomIds }) => sbomIds),
    );
    const found = await withSnapshot(client, async (session) => {
      const rows = states.aggregate<Row>(pipeline, { session, batchSize: documentsPerRead });
      const sorted = emptyRows();
      while (await rows.hasNext())
        for (const row of rows.readBufferedDocuments()) sortInto(sorted, row);
      return sorted;
    });
    const stored = [...found.vulnerabilities.values()].flat();
    const facts = await details.facts(stored.flatMap(({ details_id }) => details_id ?? []));
    return queries.map(({ serviceId }) => {
      const own = found.vulnerabilities.get(serviceId) ?? [];
      return {
        state: asRead(found.states.get(serviceId)),
        vulnerabilities:
          own.length > maxVulnerabilitiesInMemory
            ? null
            : own.map((one) => toVulnerability(one, (id) => facts.get(id))),
        sbomVersions: found.sbomVersions,
        projectsWithDue: found.projectsWithDue,
      };
    });
  }, servicesAtOnce);
}

function emptyRows() {
  return {
    states: new Map<string, ServiceStateDocument>(),
    vulnerabilities: new Map<string, TrackedVulnerabilityDocument[]>(),
    sbomVersions: new Map<string, SbomVersionDocument>(),
    projectsWithDue: [] as string[],
  };
}

function sortInto(found: ReturnType<typeof emptyRows>, row: Row): void {
  if ('state' in row) found.states.set(row.state._id, row.state);
  else if ('sbom_version' in row) found.sbomVersions.set(row.sbom_version._id, row.sbom_version);
  else if ('due' in row) found.projectsWithDue.push(row.due);
  else {
    const own = found.vulnerabilities.get(row.service_id) ?? [];
    found.vulnerabilities.set(row.service_id, own);
    // One above the maximum is enough to detect the excess.
    if (own.length <= maxVulnerabilitiesInMemory) own.push(row);
  }
}

function pipelineOf(serviceIds: readonly string[], sbomIds: readonly string[]): Document[] {
  const as = (name: string): Document => ({ $replaceRoot: { newRoot: { [name]: '$$ROOT' } } });
  const also = (coll: string, pipeline: Document[]): Document => ({
    $unionWith: { coll, pipeline },
  });
  return [
    { $match: { _id: { $in: serviceIds } } },
    as('state'),
    also('tracked_vulnerabilities', [{ $match: { service_id: { $in: serviceIds } } }]),
    also('sbom_versions', [{ $match: { _id: { $in: sbomIds } } }, as('sbom_version')]),
    also('acceptances', [
      { $match: anyDue },
      { $group: { _id: '$project_id' } },
      { $project: { _id: 0, due: '$_id' } },
    ]),
  ];
}
