import type { BriefVulnerability } from '@bomtrail/api-client';
import type CliTable from 'cli-table3';
import { cleanText, shortened } from './clean-text';

const maxCellWidth = 60;

/** Formats a table with one line per row. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // Loaded on demand: it slows the start.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const Table = require('cli-table3') as typeof CliTable;
  const printed = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  printed.push(...rows.map((row) => row.map((cell) => shortened(cell, maxCellWidth))));
  return printed.toString();
}

/** The fields of a vulnerability shown in tables. */
export type TableVulnerability = Pick<
  BriefVulnerability,
  'cve_id' | 'severity' | 'cvss_score' | 'package_name' | 'package_version' | 'fixed_versions'
>;

/** First columns of every list of vulnerabilities. */
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

/** Formats severity and score: `high 7.5`. */
export function severityText(row: Pick<TableVulnerability, 'severity' | 'cvss_score'>): string {
  return row.cvss_score === null ? row.severity : `${row.severity} ${row.cvss_score.toFixed(1)}`;
}

/** Formats the first two fixed versions. */
export function fixText(versions: readonly string[]): string {
  if (versions.length === 0) return '(none known)';
  return cleanText(versions.slice(0, 2).join(', ') + (versions.length > 2 ? ', …' : ''));
}
