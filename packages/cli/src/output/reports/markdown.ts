import type { SbomVerdict } from '@bomtrail/api-client';
import type { Outcome } from '../../context';
import { basisText, severities } from '../../gate/evaluate-verdict';
import type { Judged } from '../../gate/judged';
import type { Ignore } from '../../ignores/ignore';
import { cleanText, counted, shortened } from '../clean-text';
import type { DocumentReport } from '../document-report';
import { fixText, severityText } from '../table';

const maxRows = 20;
const signs = { pass: '✅', fail: '❌', undecided: '⚠️', scanned: 'ℹ️' } as const;
const words = {
  pass: 'Pass',
  fail: 'Fail',
  undecided: 'Undecided (not a pass)',
  scanned: 'Scanned, no threshold given',
} as const;

/** Comments of GitHub have at most 65,536 characters. */
const maxLength = 60_000;

/**
 * Formats a summary for a pull request or job page, in the Markdown of GitHub and GitLab: a line per document if there
 * are several, then a section each, up to 60,000 characters. Texts from documents and advisories are in code spans, so
 * that they cannot create links, mentions or markup.
 *
 * @returns null if nothing was judged
 */
export function markdown(documents: readonly DocumentReport[], outcome: Outcome): string | null {
  const [first] = documents;
  if (documents.length === 1 && first) return first.judged && section(first.what, first.judged);
  const head = [
    `## ${outcome.exitCode === 0 ? signs.pass : outcome.exitCode === 1 ? signs.fail : signs.undecided} ${plain(outcome.line)}`,
    '',
    '| Document | Result |',
    '|---|---|',
    ...documents.map(
      ({ what, judged, outcome: own }) =>
        `| ${code(what)} | ${judged ? words[judged.judgement.conclusion] : plain(shortened(own.line, 200))} |`,
    ),
  ];
  let text = `${shortenedLines(head)}\n`;
  let left = 0;
  for (const { what, judged } of documents) {
    const more = judged ? `\n${section(what, judged)}` : '';
    if (text.length + more.length <= maxLength) text += more;
    else left += 1;
  }
  return left === 0 ? text : `${text}\nAnd ${counted(left, 'more document')}.\n`;
}

/** The first lines of a table that fit into half of the text. */
function shortenedLines(lines: readonly string[]): string {
  let length = 0;
  const fitting = lines.filter((line) => (length += line.length + 1) <= maxLength / 2);
  return fitting.join('\n');
}

function section(what: string, { verdict, judgement, ignored }: Judged): string {
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
    ...ignoredTable([...new Set(ignored.values())]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function ignoredTable(entries: readonly Ignore[]): string[] {
  if (entries.length === 0) return [];
  const rows = entries.slice(0, maxRows).map(({ id, reason, expiresAt }) => {
    // A day counts whole: the entry ends at the next midnight.
    const lastDay = new Date(expiresAt.getTime() - 1).toISOString().slice(0, 10);
    return `| ${code(id)} | ${code(reason)} | ${lastDay} |`;
  });
  const left = entries.length - rows.length;
  return [
    '| Ignored by the project file | Reason | Until |',
    '|---|---|---|',
    ...rows,
    ...(left > 0 ? ['', `And ${counted(left, 'more entry', 'more entries')}.`] : []),
    '',
  ];
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

/**
 * Escapes a sentence. Mentions, references and bare addresses are found in the rendered text, where a backslash is gone:
 * a space without width breaks them.
 */
function plain(text: string): string {
  return cleanText(text)
    .replace(/[\\`*_{}[\]<>|#]/g, (sign) => `\\${sign}`)
    .replace(/[@#!~%$&]|:(?=\/\/)|www(?=\.)/gi, (sign) => `${sign}\u200b`);
}
