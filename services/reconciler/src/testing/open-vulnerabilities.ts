import {
  decisionKinds,
  isInScope,
  severities,
  type DueLimits,
  type Severity,
} from '@bomtrail/messages';
import type { Draw } from '@bomtrail/testkit';
import type { Db } from 'mongodb';
import { v7 as newId } from 'uuid';
import { toDetailsDocument } from '../tracking/store/details-document';
import { toDocument } from '../tracking/store/vulnerability-mapping';
import type {
  DetailsDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';
import type { Decided } from '../tracking/domain/decision-types';
import type { ListFilter, StateFilter } from '../queries/store/list-filter';
import { sortFields, type ListOrder } from '../queries/store/list-plan';

/** Two services in each of two projects. */
export const services = ['p1', 'p1', 'p2', 'p2'].map((name, index) => ({
  project_id: `project-${name}`,
  service_id: `service-${index + 1}`,
}));

/** A vulnerability with its details. */
export interface StoredPair {
  vulnerability: TrackedVulnerabilityDocument;
  details: DetailsDocument;
}

/**
 * Vulnerabilities with few distinct details and values, so that many sort alike; some lack a score or a date,
 * some are not open.
 */
export function randomVulnerabilities(count: number, draw: Draw): StoredPair[] {
  const one = <Value>(values: readonly Value[]): Value => values[draw(values.length)] as Value;
  const all = Array.from({ length: 60 }, (_one, index) => {
    const number = draw(12);
    const aliases = [`CVE-2026-${number}`, one([`GHSA-${number}`, 'GHSA-0'])];
    const severity: Severity = one(severities);
    const has_fix = draw(3) > 0;
    const document = toDetailsDocument(`details-${index}`, {
      package_name: one(['alpha', 'Beta', 'gamma', 'delta_x']),
      ecosystem: one(['npm', 'npm', 'PyPI']),
      has_fix,
      aliases,
      severity,
      cve_id: one(aliases),
      cvss_score: one([null, 9.8, 7.5, 7.5, 4]),
      published_at: one([null, ...[1, 2, 3].map((day) => new Date(day * 864e5).toISOString())]),
      advisory_ids: aliases.slice(1),
      cvss_vector: null,
      title: one(['', 'Überlauf in (parser)', 'Remote code execution', 'remote denial']),
      description: '',
      modified_at: null,
      references: [],
    });
    const epss_score = one([null, 0.1, 0.5]);
    const kev_sort = one([null, null, '2024-01-01', '2025-01-01']);
    const missing = {
      ...document.missing,
      epss_score: epss_score === null,
      kev_sort: kev_sort === null,
    };
    return { ...document, epss_score, kev_sort, missing };
  });
  return Array.from({ length: count }, () => {
    const details = one(all);
    const { package_name, ecosystem, aliases, severity, cve_id, cvss_score, published_at } =
      details;
    const package_versions = one([['1'], ['2'], ['1', '2']]);
    const id = newId();
    const decided: Decided = {
      id: newId(),
      decision: one(decisionKinds),
      source: 'manual',
      ...one([{}, { ticket_url: 'https://tickets.example/1' }, { assignee: one(['Ann', 'Bob']) }]),
    };
    const vulnerability = toDocument(
      {
        id,
        ...(draw(2) === 0 && { decided }),
        package_key: package_name,
        origin: '',
        identity: aliases,
        presence: [],
        snapshot: {
          package_name,
          ecosystem,
          aliases,
          severity,
          cve_id,
          cvss_score,
          published_at,
          package_version: package_versions[0] as string,
          package_versions,
          purl: '',
          fixed_versions: details.has_fix ? ['3'] : [],
          is_direct: draw(2) === 0,
          details: details._id,
        },
        first_seen_at: new Date(one([1, 2, 3]) * 864e5).toISOString(),
        last_seen: null,
        merged_into: null,
        status: one(['open', 'open', 'open', 'open', 'accepted', 'fixed']),
      },
      one(services),
    );
    const detected_at = one([undefined, 1, 2, 3, 4]);
    return {
      details,
      vulnerability: {
        ...vulnerability,
        ...(detected_at !== undefined && { detected_at: new Date(detected_at * 864e5) }),
      },
    };
  });
}

/** Stores vulnerabilities with their details and uncounted service states. */
export async function storeVulnerabilities(db: Db, stored: readonly StoredPair[]): Promise<void> {
  const details = new Map(stored.map((pair) => [pair.details._id, pair.details]));
  await db.collection<DetailsDocument>('vulnerability_details').insertMany([...details.values()]);
  await db
    .collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities')
    .insertMany(stored.map(({ vulnerability }) => vulnerability));
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

/** The ids of a list, in order. */
export function naiveList(
  stored: readonly StoredPair[],
  filter: StateFilter,
  { sort, order }: ListOrder,
): string[] {
  const field = sortFields[sort];
  const value = ({ vulnerability, details }: StoredPair): string | number | null => {
    const found = field === 'first_seen_at' ? vulnerability[field] : details[field];
    return found instanceof Date ? found.getTime() : found;
  };
  const tie = ({ vulnerability: { _id, project_id, first_seen_at }, details }: StoredPair) =>
    sort === 'first_seen_at'
      ? _id
      : [details._id, project_id, first_seen_at?.toISOString(), _id].join();
  const isReversed = sort === 'first_seen_at' && order === 'asc';
  return stored
    .filter(({ vulnerability, details }) => {
      const { status, project_id, service_id } = vulnerability;
      return (
        filter.statuses.some((one) => one === status) &&
        isInScope(filter.project_id, project_id) &&
        [service_id, undefined].includes(filter.service_id) &&
        (filter.service_ids?.includes(service_id) ?? true) &&
        (!filter.severity?.length || filter.severity.includes(details.severity)) &&
        (!filter.cve_id || details.alias_keys.includes(filter.cve_id.toUpperCase())) &&
        isNaiveMatch(filter, { vulnerability, details })
      );
    })
    .sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === y) return tie(a) < tie(b) !== isReversed ? -1 : 1;
      if (x === null || y === null) return x === null ? 1 : -1;
      return x < y === (order === 'asc') ? -1 : 1;
    })
    .map(({ vulnerability }) => vulnerability._id);
}

/** The other filters, each as docs/vulnerabilities.md describes it. */
function isNaiveMatch(filter: ListFilter, { vulnerability, details }: StoredPair): boolean {
  const { package_name, ecosystem, title, aliases } = details;
  const [, type, name, version] = /^pkg:(\w+)\/([^@]+)@?(.*)$/.exec(filter.purl ?? '') ?? [];
  const { detected_at } = vulnerability;
  const { package_version, package_versions, is_direct } = vulnerability.found ?? {};
  const hasTicket = vulnerability.decided?.ticket_url !== undefined;
  const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  const texts = [...aliases, package_name, title].map((text) => text.toLowerCase());
  const pypi = (text: string): string => (type === 'pypi' ? text.replaceAll('_', '-') : text);
  return (
    (filter.package_name === undefined || same(filter.package_name, package_name)) &&
    (type === undefined || same(type, ecosystem)) &&
    (name === undefined || same(pypi(name), pypi(package_name))) &&
    (!version || [package_version, ...(package_versions ?? [])].includes(version)) &&
    (filter.ecosystem ?? ecosystem) === ecosystem &&
    (filter.has_fix ?? details.has_fix) === details.has_fix &&
    (filter.is_direct ?? is_direct) === is_direct &&
    (filter.kev === undefined || filter.kev === (details.kev_sort !== null)) &&
    (filter.decision?.includes(vulnerability.decided?.decision ?? 'none') ?? true) &&
    (filter.has_ticket ?? hasTicket) === hasTicket &&
    (filter.assignee ?? vulnerability.decided?.assignee) === vulnerability.decided?.assignee &&
    (filter.detected_since === undefined ||
      (detected_at?.toISOString() ?? '') >= filter.detected_since) &&
    (filter.overdue === undefined ||
      filter.overdue.is === isNaivelyOverdue(filter.overdue.limits, vulnerability)) &&
    (filter.min_epss === undefined || (details.epss_score ?? -1) >= filter.min_epss) &&
    (filter.q ?? '')
      .toLowerCase()
      .split(' ')
      .every((word) => texts.some((text) => text.includes(word)))
  );
}

function isNaivelyOverdue(
  limits: readonly DueLimits[],
  { status, severity, project_id, detected_at }: TrackedVulnerabilityDocument,
): boolean {
  if (status !== 'open' || !detected_at) return false;
  const limit = limits.find(({ project_ids }) => project_ids.includes(project_id));
  const before = limit?.detected_before[severity ?? 'unknown'];
  return before !== undefined && detected_at.toISOString() < before;
}
