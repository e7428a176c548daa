import type { Context, Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { explainError } from '../http/explain-error';
import { jsonText } from '../output/clean-text';
import type { DocumentReport, FoundReport, ReportRun } from '../output/document-report';
import { csvFindings } from '../output/reports/csv-findings';
import { cyclonedxVdr } from '../output/reports/cyclonedx';
import { gitlab } from '../output/reports/gitlab';
import { jsonReport } from '../output/reports/json-report';
import { junit } from '../output/reports/junit';
import { markdown } from '../output/reports/markdown';
import { sarif } from '../output/reports/sarif';
import { tableReport } from '../output/reports/table-report';
import { writeWhole, type Format, type OutputTarget } from '../output/reports/targets';
import { findingsDoubt } from './findings-doubt';

/** Input of the reports. */
export interface ReportInput {
  targets: readonly OutputTarget[];
  documents: readonly DocumentReport[];
  /** Of all documents together. */
  outcome: Outcome;
  folder: string;
  toolVersion: string;
}

/** Names of formats that close findings which a report does not repeat. */
const closing: Partial<Record<Format, string>> = { sarif: 'SARIF', gitlab: 'GitLab report' };
const withFindings: ReadonlySet<Format> = new Set(['sarif', 'gitlab', 'cyclonedx', 'csv', 'junit']);

/**
 * Writes the reports, and returns the outcome. Findings that fail the gate count more than a report that cannot be made:
 * its error would be the exit code of a call that may pass when it is repeated.
 *
 * @throws CliError, ApiError if a report cannot be made, unless the gate failed
 */
export async function writeReports(context: Context, input: ReportInput): Promise<Outcome> {
  const { outcome } = input;
  try {
    await writeAll(context, input);
  } catch (error) {
    const explained = outcome.exitCode === EXIT.policy ? explainError(error) : null;
    if (explained === null) throw error;
    context.say(`Reports are missing. ${explained.message}`);
  }
  return outcome;
}

/** Writes each report to standard output or, atomically, to its file. */
async function writeAll(context: Context, input: ReportInput): Promise<void> {
  const { targets, documents } = input;
  const needed = targets.some(({ format }) => withFindings.has(format));
  const found = needed ? await readFindings(documents) : [];
  for (const { format, file } of targets) {
    const text = reportOf(context, { format, input, found });
    if (text === null) continue;
    if (file === null) context.print(text);
    else writeWhole(file, text);
  }
}

/** The documents, with findings where the scan has ended. */
async function readFindings(
  documents: readonly DocumentReport[],
): Promise<(DocumentReport | FoundReport)[]> {
  const found: (DocumentReport | FoundReport)[] = [];
  for (const one of documents) {
    const { judged } = one;
    const isScanned = judged?.verdict.scan_status === 'scanned';
    found.push(isScanned ? { ...one, judged, found: await one.findings() } : one);
  }
  return found;
}

function reportOf(
  context: Context,
  given: { format: Format; input: ReportInput; found: readonly (DocumentReport | FoundReport)[] },
): string | null {
  const { format, input, found } = given;
  const { documents, outcome } = input;
  if (format === 'json') return jsonText(jsonReport(documents, outcome));
  if (format === 'table') return tableReport(documents);
  if (format === 'markdown') return markdown(documents, outcome);
  if (format === 'junit') return junit(found);
  const complete = found.filter((one): one is FoundReport => 'found' in one);
  const doubt = doubtOf(documents);
  const run: ReportRun = { ...input, now: context.now() };
  const name = closing[format];
  if (name !== undefined && doubt !== null) {
    context.say(
      `No ${name} is written, as the findings are incomplete and it would close alerts. ${doubt}`,
    );
    return null;
  }
  if (format === 'sarif') return jsonText(sarif(complete, run));
  if (format === 'gitlab') return jsonText(gitlab(complete, run));
  if (doubt !== null) context.say(`The ${format} report is incomplete. ${doubt}`);
  return format === 'cyclonedx'
    ? jsonText(cyclonedxVdr(complete, run, doubt))
    : csvFindings(complete);
}

/** Why findings may be missing; null if all are known. */
function doubtOf(documents: readonly DocumentReport[]): string | null {
  for (const { judged, what, outcome } of documents) {
    const doubt = judged
      ? findingsDoubt(judged.verdict)
      : outcome.exitCode === 0
        ? 'Give --wait or --fail-on to wait for the scan.'
        : outcome.line;
    if (doubt !== null) return documents.length === 1 ? doubt : `${what}: ${doubt}`;
  }
  return null;
}
