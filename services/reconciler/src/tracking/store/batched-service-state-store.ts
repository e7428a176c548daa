import { maxRescannedSboms } from '@bomtrail/messages';
import { createBatcher } from '@bomtrail/concurrency';
import { inTransaction, isDuplicateKey, type Database } from '@bomtrail/mongo';
import type { Filter } from 'mongodb';
import { TooLargeError } from '../domain/too-large-error';
import type { SbomVersion, TrackedVulnerability } from '../domain/types';
import type {
  ServiceStateDocument,
  SbomVersionDocument,
  TrackedVulnerabilityDocument,
} from './documents';
import {
  asRead,
  toSbomVersions,
  type ServiceStateStore,
  type SaveOutcome,
} from './service-state-store';
import { toVulnerability } from './vulnerability-mapping';
import { createChangeWriter, openDetails, type Save } from './write-changes';

/** The part of the store that changing services needs. */
export type BatchedStates = Pick<
  ServiceStateStore,
  | 'state'
  | 'vulnerabilities'
  | 'vulnerabilitiesRead'
  | 'sbomVersion'
  | 'known'
  | 'sbomVersions'
  | 'seqsAround'
  | 'packageCounts'
  | 'save'
>;

const servicesAtOnce = maxRescannedSboms;
/**
 * The maximum number of vulnerabilities saved in one batch: each takes MongoDB a few tenths of a millisecond,
 * during which other saves wait. A service with more is saved alone.
 */
const vulnerabilitiesPerBatch = 640;
const vulnerabilitiesPerRead = 5000;

interface VulnerabilitiesQuery {
  serviceId: string;
  packages: readonly string[] | undefined;
}

type SaveEnd = PromiseSettledResult<SaveOutcome>;

/**
 * The service state store for work on many services at once: concurrent reads and writes of several services
 * share one round trip. Each service is still changed only if it is unchanged since it was read, completely
 * or not at all, and independently of the others (ADR 0023).
 */
export function createBatchedServiceStateStore(
  database: Database,
  unbatched: ServiceStateStore,
): BatchedStates {
  const { db, client } = database;
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const changes = createChangeWriter(db);
  const { details } = unbatched;

  const state = createBatcher<string, ServiceStateDocument | null | 'deleted'>(
    async (serviceIds) => {
      const found = await states.find({ _id: { $in: serviceIds } }).toArray();
      const byId = new Map(found.map((one) => [one._id, one]));
      return serviceIds.map((id) => asRead(byId.get(id)));
    },
    servicesAtOnce,
  );

  const vulnerabilitiesOf = createBatcher<
    VulnerabilitiesQuery,
    TrackedVulnerability[] | TooLargeError
  >(async (queries) => {
    const found = new Map<string, TrackedVulnerabilityDocument[]>(
      queries.map(({ serviceId }) => [serviceId, []]),
    );
    const most = new Map(
      queries.map(({ serviceId, packages }) => [
        serviceId,
        unbatched.mostVulnerabilities(packages),
      ]),
    );
    for (const where of scopesOf(queries)) {
      for await (const document of vulnerabilities.find(where, {
        batchSize: vulnerabilitiesPerRead,
      })) {
        const own = found.get(document.service_id);
        // One above the maximum is enough to detect the excess.
        if (own && own.length <= (most.get(document.service_id) ?? 0)) own.push(document);
      }
    }
    const facts = await details.facts(
      [...found.values()].flat().flatMap(({ details_id }) => details_id ?? []),
    );
    return queries.map(({ serviceId }) => {
      const own = found.get(serviceId) ?? [];
      const isTooLarge = own.length > (most.get(serviceId) ?? 0);
      return isTooLarge
        ? new TooLargeError(`The service ${serviceId} has too many vulnerabilities.`)
        : own.map((document) => toVulnerability(document, (id) => facts.get(id)));
    });
  }, servicesAtOnce);

  const sbomVersionsOf = createBatcher<string, SbomVersion[]>(async (serviceIds) => {
    const documents = sbomVersions
      .find(
        { service_id: { $in: serviceIds }, removed: { $exists: false } },
        { batchSize: vulnerabilitiesPerRead },
      )
      .sort({ service_id: 1, seq: 1 });
    const found = new Map<string, SbomVersion[]>(serviceIds.map((id) => [id, []]));
    for await (const document of documents)
      found.get(document.service_id)?.push(...toSbomVersions(document));
    return serviceIds.map((id) => found.get(id) ?? []);
  }, servicesAtOnce);

  /**
   * Returns false if a service has changed, a project was deleted, or other transactions create services in
   * the same project: that takes the short transaction of `save`.
   */
  async function saveAll(saves: readonly Save[]): Promise<boolean> {
    const begun = saves.filter(({ before }) => !before.state);
    const projectIds = begun.map(({ change }) => change.project_id);
    let attempts = 0;
    await details.use(saves.flatMap(({ change }) => openDetails(change)));
    try {
      return await inTransaction(client, async (session) => {
        attempts += 1;
        const isContended = attempts > 1 && projectIds.length > 0;
        if (!isContended) {
          await changes.addToProjects(projectIds, session);
          if (await changes.write(saves, { session, begins: true })) return true;
        }
        await session.abortTransaction();
        return false;
      });
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async function saveGroup(saves: readonly Save[]): Promise<SaveEnd[]> {
    const batched = await Promise.allSettled([saveAll(saves)]);
    const [end] = batched;
    if (end.status === 'fulfilled' && end.value)
      return saves.map(() => ({ status: 'fulfilled', value: 'saved' }));
    // Retry each alone to isolate the failure.
    if (end.status === 'rejected' && saves.length === 1) return [end];
    return Promise.allSettled(saves.map(({ before, change }) => unbatched.save(before, change)));
  }

  const save = createBatcher<Save, SaveEnd>(saveGroup, servicesAtOnce, nextBatch);

  return {
    state,
    vulnerabilitiesRead: unbatched.vulnerabilitiesRead,
    vulnerabilities: async ({ serviceId, state: read }, packages) => {
      if (!read || packages?.length === 0) return [];
      const found = await vulnerabilitiesOf({ serviceId, packages });
      if (found instanceof TooLargeError) throw found;
      return found;
    },
    sbomVersions: sbomVersionsOf,
    sbomVersion: unbatched.sbomVersion,
    known: unbatched.known,
    seqsAround: unbatched.seqsAround,
    packageCounts: unbatched.packageCounts,
    async save(before, change) {
      if (change.vulnerabilities.length > vulnerabilitiesPerBatch)
        return unbatched.save(before, change);
      const end = await save({ before, change });
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    },
  };
}

/** The services to save next: in order within a project, round-robin over projects. */
export function nextBatch<
  Change extends { change: { project_id: string; vulnerabilities: readonly unknown[] } },
>(waiting: readonly Change[]): Change[] {
  const before = new Map<string, number>();
  const ranked = waiting.map((save) => {
    const { project_id } = save.change;
    const rank = before.get(project_id) ?? 0;
    before.set(project_id, rank + 1);
    return { save, rank };
  });
  ranked.sort((a, b) => a.rank - b.rank);
  let vulnerabilities = 0;
  const end = ranked.findIndex(({ save }, index) => {
    vulnerabilities += save.change.vulnerabilities.length;
    return index > 0 && vulnerabilities > vulnerabilitiesPerBatch;
  });
  return ranked.slice(0, end < 0 ? undefined : end).map(({ save }) => save);
}

/** One filter for each distinct set of packages. */
function scopesOf(
  queries: readonly VulnerabilitiesQuery[],
): Filter<TrackedVulnerabilityDocument>[] {
  const services = new Map<string, { packages: readonly string[] | undefined; ids: string[] }>();
  for (const { serviceId, packages } of queries) {
    const key = JSON.stringify(packages ?? null);
    const same = services.get(key);
    if (same) same.ids.push(serviceId);
    else services.set(key, { packages, ids: [serviceId] });
  }
  return [...services.values()].map(({ packages, ids }) => ({
    service_id: { $in: ids },
    ...(packages ? { package_key: { $in: [...packages] } } : {}),
  }));
}
