import { csvLines } from '@bomtrail/csv';
import { failingFindings } from '../../gate/failing-findings';
import type { FoundReport } from '../document-report';
import { occurrencesOf, suppressionOf } from '../finding-text';
import { cleanText } from '../clean-text';

const columns = [
  ...['document', 'vulnerability', 'severity', 'cvss_score', 'title', 'package', 'version'],
  ...['fixed_versions', 'purl', 'is_direct', 'known_exploited', 'epss_score', 'risk'],
  ...['is_new', 'fails', 'status', 'suppressed', 'advisories', 'id'],
];

/** Formats one line per affected component of each document; `fails` is empty if it is not known. */
export function csvFindings(reports: readonly FoundReport[]): string {
  const rows = reports.flatMap(({ what, found, judged }) => {
    const fails = failingFindings(found.vulnerabilities, judged);
    const named = new Map(judged.verdict.failing.map((row) => [row.id, row]));
    return occurrencesOf(found.vulnerabilities).map((row) => {
      const cells = [
        ...[what, row.cve_id, row.severity, row.cvss_score, row.title, row.package_name],
        ...[row.package_version, row.fixed_versions, row.purl, row.is_direct, row.kev !== null],
        ...[row.epss_score, row.risk, named.get(row.id)?.is_new, fails(row.id), row.status],
        ...[suppressionOf(row, judged.ignored), row.advisory_ids, row.id],
      ];
      return cells.map((cell) => (typeof cell === 'string' ? cleanText(cell) : cell));
    });
  });
  return csvLines([columns, ...rows]);
}
