import { maxRescannedSboms } from '@bomtrail/messages';
import { createBatcher } from '@bomtrail/concurrency';
import type { Db, Filter } from 'mongodb';
import { TooLargeError } from '../domain/too-large-error';
import type { SbomVersion, TrackedVulnerability } from '../domain/types';
import type { ServiceStates, DetailsStore } from '../ports';
import type {
  SbomVersionDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from './documents';
import { toVulnerability } from './vulnerability-mapping';
import { grouped } from '../domain/grouped';

/** Services whose reads and writes share a round trip. */
export const servicesAtOnce = maxRescannedSboms;
const documentsPerRead = 5_000;
/** As a query `limit`. */
const unbounded = 2 ** 31 - 2;

interface VulnerabilitiesQuery {
  serviceId: string;
  packages: readonly string[] | undefined;
}

/**
 * Reads what changing a service needs; concurrent reads of several services share one query (ADR 0047).
 *
 * @param vulnerabilitiesRead see `ServiceStates`
 */
export function createServiceReads(
  db: Db,
  details: DetailsStore,
  vulnerabilitiesRead: number,
): Omit<ServiceStates, 'save'> {
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const ofService = (service_id: string | { $in: string[] }): Filter<SbomVersionDocument> => {
    return { service_id, removed: { $exists: false } };
  };

  const vulnerabilitiesOf = createBatcher<VulnerabilitiesQuery, TrackedVulnerability[] | null>(
    async (queries) => {
      const found = new Map<string, TrackedVulnerabilityDocument[]>();
      for (const { serviceId } of queries) found.set(serviceId, []);
      // A package cannot be divided, so one package alone is unbounded.
      const mostOf = ({ packages }: VulnerabilitiesQuery): number =>
        packages?.length === 1 ? unbounded : vulnerabilitiesRead;
      const most = new Map(queries.map((query) => [query.serviceId, mostOf(query)]));
      const documents = vulnerabilities.find(filterOf(queries), { batchSize: documentsPerRead });
      while (await documents.hasNext())
        for (const document of documents.readBufferedDocuments()) {
          const own = found.get(document.service_id);
          // One above the maximum is enough to detect the excess.
          if (own && own.length <= (most.get(document.service_id) ?? 0)) own.push(document);
        }
      const ids = [...found.values()].flat().flatMap(({ details_id }) => details_id ?? []);
      const facts = await details.facts(ids);
      return queries.map((query) => {
        const own = found.get(query.serviceId) ?? [];
        if (own.length > mostOf(query)) return null;
        return own.map((document) => toVulnerability(document, (id) => facts.get(id)));
      });
    },
    servicesAtOnce,
  );

  return {
    vulnerabilitiesRead,

    state: createBatcher(async (serviceIds: string[]) => {
      const found = await states.find({ _id: { $in: serviceIds } }).toArray();
      const byId = new Map(found.map((one) => [one._id, one]));
      return serviceIds.map((id) => asRead(byId.get(id)));
    }, servicesAtOnce),

    async vulnerabilities({ serviceId, state }, packages) {
      if (!state || packages?.length === 0) return [];
      const found = await vulnerabilitiesOf({ serviceId, packages });
      if (!found) throw new TooLargeError(`The service ${serviceId} has too many vulnerabilities.`);
      return found;
    },

    sbomVersion: createBatcher(async (sbomIds: string[]) => {
      const found = await sbomVersions.find({ _id: { $in: sbomIds } }).toArray();
      const byId = new Map(found.map((one) => [one._id, one]));
      return sbomIds.map((id) => byId.get(id) ?? null);
    }, servicesAtOnce),

    sbomVersions: createBatcher(async (serviceIds: string[]) => {
      const documents = sbomVersions
        .find(ofService({ $in: serviceIds }), { batchSize: documentsPerRead })
        .sort({ service_id: 1, seq: 1 });
      const found = new Map<string, SbomVersion[]>(serviceIds.map((id) => [id, []]));
      for await (const document of documents)
        found.get(document.service_id)?.push(...toSbomVersions(document));
      return serviceIds.map((id) => found.get(id) ?? []);
    }, servicesAtOnce),

    async seqsAround(serviceId, seq) {
      const only = { projection: { seq: 1 } };
      const find = (range: { $lt: number } | { $gt: number }) =>
        sbomVersions.find({ ...ofService(serviceId), seq: range }, only);
      const [before, after] = await Promise.all([
        find({ $lt: seq }).sort({ seq: -1 }).limit(1).toArray(),
        find({ $gt: seq }).sort({ seq: 1 }).toArray(),
      ]);
      return [...before, ...after].flatMap((one) => ('seq' in one ? [one.seq] : []));
    },

    async packageCounts(serviceId) {
      const found = vulnerabilities.aggregate<{ _id: string; count: number }>([
        { $match: { service_id: serviceId } },
        { $group: { _id: '$package_key', count: { $sum: 1 } } },
      ]);
      return new Map((await found.toArray()).map(({ _id, count }) => [_id, count]));
    },
  };
}

/** Services with the same packages share a branch. */
function filterOf(queries: readonly VulnerabilitiesQuery[]): Filter<TrackedVulnerabilityDocument> {
  const same = grouped(queries, ({ packages }) => JSON.stringify(packages ?? null));
  const filters = [...same.values()].map((some) => ({
    service_id: { $in: some.map(({ serviceId }) => serviceId) },
    ...(some[0]?.packages ? { package_key: { $in: [...some[0].packages] } } : {}),
  }));
  const [only, ...others] = filters;
  return only && others.length === 0 ? only : { $or: filters };
}

/** The state as changes see it: null until something was written. */
export function asRead(
  state: ServiceStateDocument | null | undefined,
): ServiceStateDocument | null | 'deleted' {
  if (state?.deletion_state) return 'deleted';
  return state && state.version > 0 ? state : null;
}

/** A stored SBOM version as the rules read it; empty for a tombstone. */
export function toSbomVersions(document: SbomVersionDocument): SbomVersion[] {
  if ('removed' in document) return [];
  const { _id, seq, digest, created_at, scanned_at, expired } = document;
  const known = { ...(scanned_at && { scanned_at }), ...(expired && { expired }) };
  return [{ sbom_id: _id, seq, digest, created_at, ...known }];
}
