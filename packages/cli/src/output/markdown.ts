import type { SbomVerdict } from '@bomtrail/api-client';
import { basisText, severities, type Judgement } from '../gate/evaluate-verdict';
import { cleanText, counted, shortened } from './clean-text';
import { fixText, severityText } from './table';

const maxRows = 20;
const signs = { pass: '✅', fail: '❌', undecided: '⚠️', scanned: 'ℹ️' } as const;
const words = {
  pass: 'Pass',
  fail: 'Fail',
  undecided: 'Undecided (not a pass)',
  scanned: 'Scanned, no threshold given',
} as const;

/**
 * Formats a summary for a pull request or job page, in the Markdown of GitHub and GitLab. Texts from documents and
 * advisories are in code spans, so that they cannot create links, mentions or markup.
 *
 * @param what display name of the SBOM
 */
export function markdown(what: string, verdict: SbomVerdict, judgement: Judgement): string {
  const lines = [
    `### ${signs[judgement.conclusion]} ${words[judgement.conclusion]}: ${code(what)}`,
    '',
    ...verdict.reasons.map(({ message }) => `- ${plain(message)}`),
    ...verdict.caveats.map(({ message }) => `- ${plain(message)}`),
    `- ${plain(basisText(verdict))}.`,
    ...baselineLine(verdict),
    '',
    ...countsTable(verdict),
    ...failingTable(verdict),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function baselineLine({ baseline }: SbomVerdict): string[] {
  if (!baseline) return [];
  const { version, sbom_id } = baseline;
  return [`- Baseline: ${version === null ? `SBOM ${code(sbom_id)}` : code(version)}.`];
}

function countsTable({ counts, new_counts }: SbomVerdict): string[] {
  if (!counts) return [];
  const fresh = new_counts
    ? `| new | ${severities.map((one) => new_counts[one]).join(' | ')} |`
    : null;
  return [
    `| | ${severities.join(' | ')} |`,
    `|---${'|--:'.repeat(severities.length)}|`,
    `| all | ${severities.map((one) => counts[one]).join(' | ')} |`,
    ...(fresh ? [fresh] : []),
    '',
  ];
}

function failingTable({ failing, failing_total }: SbomVerdict): string[] {
  if (failing.length === 0) return [];
  const rows = failing.slice(0, maxRows).map((row) => {
    const cells = [code(row.cve_id), code(row.package_name), code(row.package_version)];
    const fix = row.fixed_versions.length === 0 ? 'none known' : code(fixText(row.fixed_versions));
    return `| ${severityText(row)} | ${cells.join(' | ')} | ${fix} | ${row.is_new ? 'new' : ''} |`;
  });
  const left = failing_total - rows.length;
  return [
    '| Severity | Vulnerability | Package | Version | Fixed in | |',
    '|---|---|---|---|---|---|',
    ...rows,
    ...(left > 0 ? ['', `And ${counted(left, 'more finding')}.`] : []),
    '',
  ];
}

/** Formats a code span that is safe within a table. */
export function code(text: string): string {
  const content = shortened(text, 100).replaceAll('|', '\\|');
  if (content === '') return '';
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${content}${fence}` : `${fence} ${content} ${fence}`;
}

/** Escapes a sentence of the server. */
function plain(text: string): string {
  return cleanText(text).replace(/[\\`*_{}[\]<>|#@]/g, (sign) => `\\${sign}`);
}
