import { formatValue } from '../domain/compare-vulnerabilities';
import type { Difference } from '../domain/difference';
import { sameValue } from '../../tracking/domain/same-value';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import type { WholeService } from './service-check-store';
import {
  addTo,
  countedStatuses,
  countKey,
  formatCounts,
  sameCounts,
  type StatusCounts,
} from '../../tracking/store/count-keys';
import { toDocument, toVulnerability } from '../../tracking/store/vulnerability-mapping';

/**
 * Compares the stored data that the domain rules do not cover: list fields, details, open counts, the project
 * of the service state. Skips vulnerabilities that already differ by the rules.
 *
 * @param known the project in the catalog, the advisory revision in force, the differences by the rules
 */
export function compareStored(
  service: WholeService,
  known: {
    project_id: string;
    revision: number;
    differences: readonly Difference[];
  },
): Difference[] {
  const { project_id, revision } = known;
  const reported = new Set(known.differences.map(({ id }) => id));
  const found: Difference[] = [];
  const { state } = service;
  const stateDiffers = (stored: string, expected: string): unknown =>
    found.push({ kind: 'state-differs', id: null, about: 'the service state', stored, expected });
  if (state && state.project_id !== project_id)
    stateDiffers(`of project ${state.project_id}`, `of project ${project_id}`);
  const isBasedOn = Math.max(state?.revision ?? 0, state?.package_revisions?.revision ?? 0);
  // A pending re-scan would be taken for done.
  if (isBasedOn > revision)
    stateDiffers(
      `right for advisory revision ${isBasedOn}`,
      `at most ${revision}, which is in force`,
    );
  if (state && !state.deletion_state && state.version > 0) {
    const counted: StatusCounts = {};
    for (const { status, severity } of service.vulnerabilities) {
      const known = countedStatuses.find((one) => one === status);
      if (known && severity) addTo(counted, { [countKey(known, severity)]: 1 }, 1);
    }
    const stored = state.counts ?? {};
    if (!sameCounts(stored, counted)) {
      found.push({
        kind: 'counters-differ',
        id: null,
        about: 'vulnerabilities by status and severity in the service state',
        stored: formatCounts(stored),
        expected: formatCounts(counted),
      });
    }
  }
  for (const vulnerability of service.vulnerabilities) {
    const { details_id = '', package_key, origin } = vulnerability;
    const details = service.details.get(details_id);
    const about = `${package_key} ${details?.facts.cve_id ?? origin}`;
    const fields = reported.has(vulnerability._id)
      ? []
      : inconsistentFields(vulnerability, service, project_id);
    if (fields.length > 0) {
      const expected = expectedDocument(vulnerability, service, project_id);
      const format = (document: TrackedVulnerabilityDocument): string =>
        fields.map((field) => `${field} ${formatValue(document[field])}`).join(', ');
      found.push({
        kind: 'vulnerability-fields-differ',
        id: vulnerability._id,
        about,
        stored: format(vulnerability),
        expected: format(expected),
      });
    }
    if (vulnerability.found && !details) {
      found.push({
        kind: 'details-missing',
        id: vulnerability._id,
        about,
        stored: 'no details, so that lists omit it',
        expected: `details with the id ${details_id}`,
      });
    }
    if (details && !details.has_open && vulnerability.status === 'open') {
      found.push({
        kind: 'details-missing',
        id: vulnerability._id,
        about,
        stored: 'details that the active list skips',
        expected: `details with the id ${details_id} in the active list`,
      });
    }
  }
  return found;
}

/** The stored fields that do not follow from the vulnerability. */
export function inconsistentFields(
  vulnerability: TrackedVulnerabilityDocument,
  service: Pick<WholeService, 'details'>,
  project_id: string,
): (keyof TrackedVulnerabilityDocument)[] {
  const expected = expectedDocument(vulnerability, service, project_id);
  const names = new Set([...Object.keys(vulnerability), ...Object.keys(expected)]);
  return ([...names] as (keyof TrackedVulnerabilityDocument)[]).filter(
    (field) => !sameValue(plain(vulnerability[field]), plain(expected[field])),
  );
}

function expectedDocument(
  vulnerability: TrackedVulnerabilityDocument,
  { details }: Pick<WholeService, 'details'>,
  project_id: string,
): TrackedVulnerabilityDocument {
  const { service_id } = vulnerability;
  const tracked = toVulnerability(vulnerability, (id) => details.get(id)?.facts);
  return toDocument(tracked, { service_id, project_id });
}

/** Compares the total of open vulnerabilities with the sum over all service states. */
export function totalsDifference(totals: { total: StatusCounts; sum: StatusCounts }): Difference[] {
  const { total, sum } = totals;
  if (sameCounts(total, sum)) return [];
  return [
    {
      kind: 'totals-differ',
      id: null,
      about: 'vulnerabilities by status and severity of all services',
      stored: formatCounts(total),
      expected: formatCounts(sum),
    },
  ];
}

/** Converts dates to texts for comparison. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
