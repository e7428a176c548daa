import { severities, type Severity } from '@bomtrail/messages';
import type { Draw } from '@bomtrail/testkit';
import type { Db } from 'mongodb';
import { v7 as newId } from 'uuid';
import type { TrackedVulnerability } from '../tracking/domain/types';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';
import { sortFields, type ListFilter, type ListOrder } from '../queries/store/list-plan';
import { toDocument } from '../tracking/store/vulnerability-mapping';

/** Two services in each of two projects. */
export const services = ['p1', 'p1', 'p2', 'p2'].map((name, index) => ({
  project_id: `project-${name}`,
  service_id: `service-${index + 1}`,
}));

/**
 * Vulnerabilities with few distinct values, so that many sort alike; some lack a score or a date, some are
 * not open.
 */
export function randomVulnerabilities(count: number, draw: Draw): TrackedVulnerabilityDocument[] {
  const one = <Value>(values: readonly Value[]): Value => values[draw(values.length)] as Value;
  return Array.from({ length: count }, () => {
    const severity: Severity = one(severities);
    const number = draw(12);
    const package_name = one(['alpha', 'Beta', 'gamma', 'delta']);
    const aliases = [`CVE-2026-${number}`, one([`GHSA-${number}`, 'GHSA-0'])];
    const snapshot: TrackedVulnerability['snapshot'] = {
      package_name,
      package_version: '1',
      package_versions: ['1'],
      purl: '',
      ecosystem: 'npm',
      fixed_versions: [],
      is_direct: false,
      details: '',
      aliases,
      severity,
      cve_id: one(aliases),
      cvss_score: one([null, 9.8, 7.5, 7.5, 4]),
      published_at: one([null, ...[1, 2, 3].map((day) => new Date(day * 864e5).toISOString())]),
    };
    const vulnerability: TrackedVulnerability = {
      id: newId(),
      package_key: package_name,
      origin: '',
      identity: aliases,
      presence: [],
      snapshot,
      first_seen_at: new Date(one([1, 2, 3]) * 864e5).toISOString(),
      last_seen: null,
      merged_into: null,
      status: one(['open', 'open', 'open', 'open', 'accepted', 'fixed']),
    };
    return toDocument(vulnerability, one(services));
  });
}

/** Stores vulnerabilities with uncounted service states. */
export async function storeVulnerabilities(
  db: Db,
  vulnerabilities: readonly TrackedVulnerabilityDocument[],
): Promise<void> {
  await db
    .collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities')
    .insertMany([...vulnerabilities]);
  await db.collection<ServiceStateDocument>('service_states').insertMany(
    services.map(({ service_id: _id, project_id }) => ({
      _id,
      project_id,
      version: 3,
      head: null,
      revision: 0,
    })),
  );
}

/** The expected active list, in order. */
export function naiveList(
  vulnerabilities: readonly TrackedVulnerabilityDocument[],
  filter: ListFilter,
  { sort, order }: ListOrder,
): string[] {
  const field = sortFields[sort];
  const value = (vulnerability: TrackedVulnerabilityDocument): string | number | null => {
    const stored = field && vulnerability[field];
    return stored instanceof Date ? stored.getTime() : stored;
  };
  return vulnerabilities
    .filter((vulnerability) => vulnerability.open)
    .filter((vulnerability) => [vulnerability.project_id, undefined].includes(filter.project_id))
    .filter((vulnerability) => [vulnerability.service_id, undefined].includes(filter.service_id))
    .filter(
      (vulnerability) =>
        !filter.severity?.length || filter.severity.includes(vulnerability.severity as Severity),
    )
    .filter(
      (vulnerability) =>
        !filter.cve_id || vulnerability.alias_keys.includes(filter.cve_id.toUpperCase()),
    )
    .sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === y) return a._id < b._id ? -1 : 1;
      if (x === null || y === null) return x === null ? 1 : -1;
      return x < y === (order === 'asc') ? -1 : 1;
    })
    .map((vulnerability) => vulnerability._id);
}
