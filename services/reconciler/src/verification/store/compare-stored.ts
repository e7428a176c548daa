import { severities } from '@bomtrail/messages';
import { formatValue } from '../domain/compare-vulnerabilities';
import type { Difference } from '../domain/difference';
import { sameValue } from '../../tracking/domain/same-value';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import type { WholeService } from './service-check-store';
import { addTo, isCounted, type OpenCounts } from '../../tracking/store/open-counts';
import { toDocument, toVulnerability } from '../../tracking/store/vulnerability-mapping';

/**
 * Compares the stored data that the domain rules do not cover: list fields, details, open counts, the project
 * of the service state. Skips vulnerabilities that already differ by the rules.
 *
 * @param known the project in the catalog, the advisory revision in force, the differences by the rules,
 *   hashes of missing details
 */
export function compareStored(
  service: WholeService,
  known: {
    project_id: string;
    revision: number;
    differences: readonly Difference[];
    missing: readonly string[];
  },
): Difference[] {
  const { project_id, revision } = known;
  const reported = new Set(known.differences.map(({ id }) => id));
  const missing = new Set(known.missing);
  const found: Difference[] = [];
  const { state } = service;
  if (state && state.project_id !== project_id) {
    found.push({
      kind: 'state-differs',
      id: null,
      about: 'the service state',
      stored: `of project ${state.project_id}`,
      expected: `of project ${project_id}`,
    });
  }
  const isBasedOn = Math.max(state?.revision ?? 0, state?.package_revisions?.revision ?? 0);
  if (isBasedOn > revision) {
    // A pending re-scan would be taken for done.
    found.push({
      kind: 'state-differs',
      id: null,
      about: 'the service state',
      stored: `right for advisory revision ${isBasedOn}`,
      expected: `at most ${revision}, which is in force`,
    });
  }
  if (state && !state.deletion_state && state.version > 0 && isCounted(state)) {
    const counted: OpenCounts = {};
    for (const { open, severity } of service.vulnerabilities) {
      if (open && severity) addTo(counted, { [severity]: 1 }, 1);
    }
    const stored = state.open_counts ?? {};
    if (!isSame(stored, counted)) {
      found.push({
        kind: 'counters-differ',
        id: null,
        about: 'open vulnerabilities by severity in the service state',
        stored: formatCounts(stored),
        expected: formatCounts(counted),
      });
    }
  }
  for (const vulnerability of service.vulnerabilities) {
    const about = `${vulnerability.package_key} ${vulnerability.snapshot?.cve_id ?? vulnerability.origin}`;
    const fields = reported.has(vulnerability._id)
      ? []
      : inconsistentFields(vulnerability, project_id);
    if (fields.length > 0) {
      const expected = toDocument(toVulnerability(vulnerability), {
        service_id: vulnerability.service_id,
        project_id,
      });
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
    if (vulnerability.snapshot && missing.has(vulnerability.snapshot.details)) {
      found.push({
        kind: 'details-missing',
        id: vulnerability._id,
        about,
        stored: 'no details, so that lists omit it',
        expected: `details with the hash ${vulnerability.snapshot.details}`,
      });
    }
  }
  return found;
}

/** The stored fields that do not follow from the vulnerability. */
export function inconsistentFields(
  vulnerability: TrackedVulnerabilityDocument,
  project_id: string,
): (keyof TrackedVulnerabilityDocument)[] {
  const expected = toDocument(toVulnerability(vulnerability), {
    service_id: vulnerability.service_id,
    project_id,
  });
  return (Object.keys(expected) as (keyof TrackedVulnerabilityDocument)[]).filter(
    (field) => !sameValue(plain(vulnerability[field]), plain(expected[field])),
  );
}

/** Compares the total of open vulnerabilities with the sum over all service states. */
export function totalsDifference(totals: { total: OpenCounts; sum: OpenCounts }): Difference[] {
  const { total, sum } = totals;
  if (isSame(total, sum)) return [];
  return [
    {
      kind: 'totals-differ',
      id: null,
      about: 'open vulnerabilities by severity of all services',
      stored: formatCounts(total),
      expected: formatCounts(sum),
    },
  ];
}

function isSame(a: OpenCounts, b: OpenCounts): boolean {
  return severities.every((severity) => (a[severity] ?? 0) === (b[severity] ?? 0));
}

/** `3 high, 1 unknown`. */
function formatCounts(counts: OpenCounts): string {
  const reported = severities.flatMap((severity) =>
    counts[severity] ? [`${counts[severity]} ${severity}`] : [],
  );
  return reported.length > 0 ? reported.join(', ') : 'none';
}

/** Converts dates to texts for comparison. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
