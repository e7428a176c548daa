import type { BriefVulnerability } from '@bomtrail/api-client';
import { cleanText, shortened } from './clean-text';

const maxCellWidth = 60;

/** Formats a table with one line per row. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => shortened(cell, maxCellWidth)));
  const lines = [[...head], ...cells];
  const widths = head.map((_, column) => Math.max(...lines.map((row) => widthOf(row[column]))));
  const border = (left: string, middle: string, right: string): string =>
    `${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}`;
  const [first = '', ...rest] = lines.map((row) => {
    const padded = widths.map((width, column) => padEnd(row[column] ?? '', width));
    return `│ ${padded.join(' │ ')} │`;
  });
  const body = rest.length === 0 ? [] : [border('├', '┼', '┤'), ...rest];
  return [border('┌', '┬', '┐'), first, ...body, border('└', '┴', '┘')].join('\n');
}

/** Characters that take two columns of a terminal, and those that take none. */
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/gu;
const without = /[\p{Mn}\p{Me}\p{Cf}]/gu;

/** Columns of a text on a terminal. */
function widthOf(text = ''): number {
  if (/^[\0-\x7f]*$/.test(text)) return text.length;
  const shown = text.replace(without, '');
  return [...shown].length + (shown.match(wide)?.length ?? 0);
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(width - widthOf(text));
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
