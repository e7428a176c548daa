import { v7 as newId } from 'uuid';
import { joinReport } from '../tracking/observations-of';
import type { PackageDetails } from '../tracking/store/details-document';
import { finding, reportOf } from './findings';
import { toSnapshot } from '../tracking/domain/snapshot';
import { observation } from '../tracking/domain/testing';
import type { TrackedVulnerability } from '../tracking/domain/types';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';
import { countServiceStates } from '../tracking/store/count-service-states';
import { createDetailsStore } from '../tracking/store/details-store';
import { toDocument } from '../tracking/store/vulnerability-mapping';
import type { TestReconciler } from './start-reconciler';

/** Documents per insert. */
const atOnce = 5_000;

/**
 * Stores services of one project as if they were reconciled, each with all these vulnerabilities.
 *
 * @param vulnerabilities short texts, see `observation`
 * @returns the ids of the services
 */
export async function storeServices(
  { db }: Pick<TestReconciler, 'db'>,
  project_id: string,
  given: { services: number; vulnerabilities: readonly string[]; status: 'open' | 'accepted' },
): Promise<string[]> {
  const ids = Array.from({ length: given.services }, () => newId());
  const head = { seq: 1, digest: 'd'.repeat(64), created_at: new Date(1e12).toISOString() };
  const states = ids.map((_id): ServiceStateDocument => {
    return { _id, project_id, version: 1, head: { sbom_id: newId(), ...head }, revision: 1 };
  });
  const details = given.vulnerabilities.map(detailsOf);
  await createDetailsStore(db).save(new Map(details));
  const vulnerabilities = ids.flatMap((service_id) =>
    given.vulnerabilities.map((text) =>
      toDocument({ ...openVulnerability(text), status: given.status }, { service_id, project_id }),
    ),
  );
  for (let from = 0; from < vulnerabilities.length; from += atOnce) {
    const some = vulnerabilities.slice(from, from + atOnce);
    await db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities').insertMany(some);
  }
  // Last, because an existing service is counted with the vulnerabilities it has.
  await db.collection<ServiceStateDocument>('service_states').insertMany(states);
  await countServiceStates({ db, client: db.client, isUp: async () => true });
  return ids;
}

/** The details of a short text. */
function detailsOf(text: string): [string, PackageDetails] {
  const { observations, details } = joinReport(reportOf([finding(text)]));
  const id = observations[0]?.details ?? '';
  return [id, details.get(id) as PackageDetails];
}

function openVulnerability(text: string): TrackedVulnerability {
  const seen = { ...observation(text), details: detailsOf(text)[0] };
  return {
    id: newId(),
    package_key: seen.package_key,
    origin: seen.aliases[0] ?? '',
    identity: [...seen.aliases].sort(),
    presence: [{ from: 1, to: null }],
    first_seen_at: new Date(1e12).toISOString(),
    last_seen: null,
    snapshot: toSnapshot([seen]),
    status: 'open',
    merged_into: null,
  };
}
