import { severities } from '@bomtrail/messages';
import { formatValue } from '../domain/compare-vulnerabilities';
import type { Difference } from '../domain/difference';
import { sameValue } from '../domain/same-value';
import type { TrackedVulnerabilityDocument } from './documents';
import type { WholeService } from './service-check-store';
import { addTo, isCounted, type OpenCounts } from './open-counts';
import { toDocument, toVulnerability } from './vulnerability-mapping';

/**
 * What is stored of a line beside what the rules know: what lists filter and sort by, texts, the
 * ledger's own project. Rows that differ by the rules are not told again.
 *
 * @param known the project as the catalog has it, the advisory revision in force, what the rules say,
 *   hashes of texts that are missing
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
      ...{ kind: 'state-differs', id: null, about: 'the ledger' },
      stored: `of project ${state.project_id}`,
      expected: `of project ${project_id}`,
    });
  }
  const isBasedOn = Math.max(state?.revision ?? 0, state?.package_revisions?.revision ?? 0);
  if (isBasedOn > revision) {
    // A re-scan that is owed would be taken for done.
    found.push({
      ...{ kind: 'state-differs', id: null, about: 'the ledger' },
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
        ...{ kind: 'counters-differ', id: null, about: 'listed rows by severity in the ledger' },
        ...{ stored: formatCounts(stored), expected: formatCounts(counted) },
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
        ...{ kind: 'vulnerability-fields-differ', id: vulnerability._id, about },
        ...{ stored: format(vulnerability), expected: format(expected) },
      });
    }
    if (vulnerability.snapshot && missing.has(vulnerability.snapshot.details)) {
      found.push({
        ...{ kind: 'details-missing', id: vulnerability._id, about },
        stored: 'no texts, so that no list shows it',
        expected: `texts with the hash ${vulnerability.snapshot.details}`,
      });
    }
  }
  return found;
}

/** The fields of a stored row that do not follow from what the rules know of it. */
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

/** The listed rows of all lines together, against the sum over their ledgers. */
export function totalsDifference(totals: { total: OpenCounts; sum: OpenCounts }): Difference[] {
  const { total, sum } = totals;
  if (isSame(total, sum)) return [];
  return [
    {
      ...{ kind: 'totals-differ', id: null, about: 'listed rows by severity of all ledgers' },
      ...{ stored: formatCounts(total), expected: formatCounts(sum) },
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

/** A value with its dates as texts, so that they can be compared. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
