import Table from 'cli-table3';
import type { OpenVulnerability } from './api-client';

/** Formats a table of vulnerabilities, in the given order. */
export function vulnerabilityTable(rows: readonly OpenVulnerability[]): string {
  const table = new Table({
    head: ['Severity', 'Vulnerability', 'Package', 'Version', 'Fixed in', 'Service'],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    const fix = row.fixed_versions.slice(0, 2).join(', ');
    const more = row.fixed_versions.length > 2 ? ', …' : '';
    table.push([
      row.severity,
      row.cve_id,
      row.package_name,
      row.package_version,
      fix === '' ? '(none known)' : `${fix}${more}`,
      row.service_name ?? '',
    ]);
  }
  return table.toString();
}
