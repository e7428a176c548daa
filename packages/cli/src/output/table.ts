import type { BriefVulnerability } from '@bomtrail/api-client';
import type CliTable from 'cli-table3';
import { cleanText, shortened } from './clean-text';

const maxCellWidth = 60;

/** Rows as a table for a terminal or a log; one line each, whatever their texts hold. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // Read only where a table is printed: it costs the start more than it weighs.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const Table = require('cli-table3') as typeof CliTable;
  const printed = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  printed.push(...rows.map((row) => row.map((cell) => shortened(cell, maxCellWidth))));
  return printed.toString();
}

/** A vulnerability as far as tables show it. */
export type TableVulnerability = Pick<
  BriefVulnerability,
  'cve_id' | 'severity' | 'cvss_score' | 'package_name' | 'package_version' | 'fixed_versions'
>;

/** Columns that every list of vulnerabilities begins with. */
export const VULNERABILITY_HEAD = ['Severity', 'Vulnerability', 'Package', 'Version', 'Fixed in'];

/** The cells of `VULNERABILITY_HEAD`. */
export function vulnerabilityCells(row: TableVulnerability): string[] {
  return [
    severityText(row),
    row.cve_id,
    row.package_name,
    row.package_version,
    fixText(row.fixed_versions),
  ];
}

/** The severity with its score, where there is one: `high 7.5`. */
export function severityText(row: Pick<TableVulnerability, 'severity' | 'cvss_score'>): string {
  return row.cvss_score === null ? row.severity : `${row.severity} ${row.cvss_score.toFixed(1)}`;
}

/** The lowest fixed versions: any of them will do. */
export function fixText(versions: readonly string[]): string {
  if (versions.length === 0) return '(none known)';
  return cleanText(versions.slice(0, 2).join(', ') + (versions.length > 2 ? ', …' : ''));
}
