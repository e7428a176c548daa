import { randomUUID } from 'node:crypto';
import type { BriefVulnerability } from '@bomtrail/api-client';
import type { FoundReport, ReportRun } from '../document-report';
import { advisoryUrl, occurrencesOf, solutionOf, suppressionOf } from '../finding-text';
import { cleanText } from '../clean-text';

/** Names of the sources of ids, by prefix. */
const sources: Readonly<Record<string, { name: string; url: string }>> = {
  CVE: { name: 'NVD', url: 'https://nvd.nist.gov/' },
  GHSA: { name: 'GitHub Advisories', url: 'https://github.com/advisories' },
};
const osv = { name: 'OSV', url: 'https://osv.dev/' };

/**
 * Creates a vulnerability disclosure report: CycloneDX 1.6 with the affected components and their vulnerabilities.
 *
 * Suppressed findings have an analysis with the reason, those under investigation one that says so. `bomtrail:complete`
 * is false where findings may be missing.
 *
 * @param doubt why findings may be missing; null if they are complete
 */
export function cyclonedxVdr(
  reports: readonly FoundReport[],
  run: ReportRun,
  doubt: string | null,
): object {
  const components = new Map<string, object>();
  const rows = reports.flatMap((report) => {
    const occurrences = occurrencesOf(report.found.vulnerabilities);
    for (const row of occurrences) components.set(refOf(row), componentOf(row));
    return occurrences.map((row) => ({
      row,
      suppressed: suppressionOf(row, report.judged.ignored),
    }));
  });
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: run.now.toISOString(),
      tools: { components: [{ type: 'application', name: 'bomtrail', version: run.toolVersion }] },
      properties: [
        ...reports.map(({ what }) => ({ name: 'bomtrail:document', value: cleanText(what) })),
        { name: 'bomtrail:complete', value: String(doubt === null) },
        ...(doubt === null ? [] : [{ name: 'bomtrail:incomplete', value: cleanText(doubt) }]),
      ],
    },
    components: [...components.values()],
    vulnerabilities: vulnerabilitiesOf(rows),
  };
}

interface Row {
  row: BriefVulnerability;
  suppressed: string | null;
}

/** One entry per vulnerability and decision, with all components that it affects. */
function vulnerabilitiesOf(rows: readonly Row[]): object[] {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const one of rows) {
    const { row, suppressed } = one;
    const key = JSON.stringify([row.cve_id, suppressed, isUnaffected(row), isInTriage(row)]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map((group, index) => {
    const [{ row, suppressed }] = group;
    const affected = new Map(group.map((one) => [refOf(one.row), one.row]));
    const solutions = [...new Set(group.map((one) => solutionOf(one.row)))];
    const score = row.cvss_score;
    return {
      'bom-ref': `vulnerability-${index + 1}`,
      id: cleanText(row.cve_id),
      source: sourceOf(row.cve_id),
      references: [...new Set([...row.advisory_ids, ...(row.aliases ?? [])])]
        .filter((id) => id !== row.cve_id)
        .map((id) => ({ id: cleanText(id), source: sourceOf(id) })),
      ratings: [{ ...(score !== null && { score }), severity: row.severity, method: 'other' }],
      ...(row.title && { description: cleanText(row.title) }),
      recommendation: solutions.join(' '),
      advisories: row.advisory_ids.map((id) => ({ url: advisoryUrl(id) })),
      ...analysisOf(row, suppressed),
      affects: [...affected].map(([ref, one]) => ({
        ref,
        versions: [
          {
            version: cleanText(one.package_version),
            status: isUnaffected(one) ? 'unaffected' : 'affected',
          },
        ],
      })),
      properties: [{ name: 'bomtrail:known-exploited', value: String(row.kev !== null) }],
    };
  });
}

/** A decision as an `analysis`; none if nothing is decided. What is accepted or ignored affects the component all the same. */
function analysisOf(row: BriefVulnerability, suppressed: string | null): { analysis?: object } {
  if (suppressed === null)
    return isInTriage(row)
      ? { analysis: { state: 'in_triage', detail: 'Under investigation in bomtrail.' } }
      : {};
  return isUnaffected(row)
    ? { analysis: { state: row.status, detail: suppressed } }
    : { analysis: { state: 'exploitable', response: ['will_not_fix'], detail: suppressed } };
}

function isInTriage({ decision }: BriefVulnerability): boolean {
  return decision?.decision === 'in_triage';
}

/** Decided to be none of the component's; both words are those of CycloneDX, too. */
function isUnaffected({ status }: BriefVulnerability): boolean {
  return status === 'not_affected' || status === 'false_positive';
}

function componentOf(row: BriefVulnerability): object {
  return {
    type: 'library',
    'bom-ref': refOf(row),
    name: cleanText(row.package_name),
    version: cleanText(row.package_version),
    ...(row.purl && { purl: row.purl }),
  };
}

function refOf(row: BriefVulnerability): string {
  return cleanText(row.purl ?? `${row.package_name}@${row.package_version}`) || 'unnamed';
}

function sourceOf(id: string): { name: string; url: string } {
  return sources[id.split('-', 1)[0] ?? ''] ?? osv;
}
