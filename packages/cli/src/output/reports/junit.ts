import { failingFindings } from '../../gate/failing-findings';
import type { DocumentReport, FoundReport } from '../document-report';
import { occurrencesOf, packageOf, solutionOf, suppressionOf, titleOf } from '../finding-text';
import { cleanText, counted } from '../clean-text';
import { severityText } from '../table';

/** Maximum findings per document. */
const maxCases = 5_000;

interface Case {
  name: string;
  classname: string;
  /** Element with its text; null: passed. */
  result: { element: 'failure' | 'error' | 'skipped'; text: string } | null;
}

/**
 * Formats JUnit XML: a suite per document with the gate as its first test case, and one case per affected component.
 * What fails the gate is a failure, an unknown verdict an error, a suppressed finding is skipped; every other finding
 * passes. The gate is skipped where none was asked for.
 *
 * @param reports with findings where the scan has ended
 */
export function junit(reports: readonly (DocumentReport | FoundReport)[]): string {
  const suites = reports.map(suiteOf);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="bomtrail"${totals(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ what, cases }) => [
      `  <testsuite name="${attribute(what)}"${totals(cases)}${skippedOf(cases)}>`,
      ...cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function suiteOf(report: DocumentReport | FoundReport): { what: string; cases: Case[] } {
  const cases = [gateCase(report), ...('found' in report ? findingCases(report) : [])];
  return { what: report.what, cases };
}

function gateCase({ outcome, judged }: DocumentReport): Case {
  const { exitCode, line } = outcome;
  // Without a rule, or without waiting for the scan, there was no gate that could pass.
  const ok = judged?.judgement.conclusion === 'pass' ? null : 'skipped';
  const element = exitCode === 0 ? ok : exitCode === 1 ? 'failure' : 'error';
  // The line of an undecided one has them.
  const reasons =
    judged?.judgement.conclusion === 'fail'
      ? judged.verdict.reasons.map(({ message }) => message)
      : [];
  return {
    name: 'gate',
    classname: 'bomtrail',
    result: element && { element, text: [line, ...reasons].join('. ') },
  };
}

function findingCases({ found, judged }: FoundReport): Case[] {
  const fails = failingFindings(found.vulnerabilities, judged);
  const all = occurrencesOf(found.vulnerabilities);
  const cases = all.slice(0, maxCases).map((row): Case => {
    const suppression = suppressionOf(row, judged.ignored);
    const text = `${severityText(row)} ${titleOf(row)} in ${packageOf(row)}. ${solutionOf(row)}`;
    return {
      name: `${row.cve_id} in ${packageOf(row)}`,
      classname: row.package_name,
      result: suppression !== null ? skipped(suppression) : resultOf(fails(row.id), text),
    };
  });
  const left = all.length - cases.length;
  if (left === 0) return cases;
  const name = `${counted(left, 'finding')} beyond ${maxCases}`;
  return [...cases, { name, classname: 'bomtrail', result: skipped('Left out.') }];
}

function resultOf(fails: boolean | null, text: string): Case['result'] {
  if (fails === null)
    return skipped(
      `Not known whether it is new, as the verdict does not name all findings: ${text}`,
    );
  return fails ? { element: 'failure', text } : null;
}

function skipped(text: string): Case['result'] {
  return { element: 'skipped', text };
}

function caseLines({ name, classname, result }: Case): string[] {
  const open = `    <testcase name="${attribute(name)}" classname="${attribute(classname)}"`;
  if (!result) return [`${open}/>`];
  const { element, text } = result;
  // The schema has no attributes of `skipped`.
  const message = element === 'skipped' ? '' : ` message="${attribute(text)}"`;
  return [`${open}>`, `      <${element}${message}>${xml(text)}</${element}>`, '    </testcase>'];
}

function totals(cases: readonly Case[]): string {
  const count = (wanted: string): number =>
    cases.filter(({ result }) => result?.element === wanted).length;
  return ` tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
}

function skippedOf(cases: readonly Case[]): string {
  return ` skipped="${cases.filter(({ result }) => result?.element === 'skipped').length}"`;
}

function attribute(text: string): string {
  return xml(text).replaceAll('"', '&quot;');
}

/** Text without markup; `cleanText` removes what XML 1.0 excludes, even as a reference. */
function xml(text: string): string {
  return cleanText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
