import type { SbomDetail, SbomVerdict } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { markdown } from '../output/markdown';
import { sarif } from '../output/sarif';
import { table, VULNERABILITY_HEAD, vulnerabilityCells } from '../output/table';
import { writeWhole, type OutputTarget } from '../output/targets';
import { countsText, type Judgement } from './evaluate-verdict';
import { findingsDoubt } from './findings-doubt';
import type { SbomFile } from './read-document';
import { cleanText, jsonText } from '../output/clean-text';

/** Verdict of an SBOM and its result for the pipeline. */
export interface Judged {
  verdict: SbomVerdict;
  judgement: Judgement;
}

/** Input of the reports. */
export interface ReportInput {
  targets: readonly OutputTarget[];
  what: string;
  stored: { id: string };
  /** The document, if available: SARIF refers to its lines. */
  file: SbomFile | null;
  judged: Judged | null;
  outcome: Outcome;
  folder: string;
  toolVersion: string;
}

/** Writes each report to standard output or, atomically, to its file. */
export async function writeReports(context: Context, input: ReportInput): Promise<void> {
  for (const { format, file } of input.targets) {
    const text = await reportOf(context, { format, input });
    if (text === null) continue;
    if (file === null) context.print(text);
    else writeWhole(file, text);
  }
}

async function reportOf(
  context: Context,
  { format, input }: { format: OutputTarget['format']; input: ReportInput },
): Promise<string | null> {
  const { judged, what } = input;
  if (format === 'json') return jsonText(jsonReport(input));
  if (format === 'sarif') return sarifReport(context, input);
  if (!judged) return null;
  if (format === 'markdown') return markdown(what, judged.verdict, judged.judgement);
  return tableReport(judged.verdict);
}

function jsonReport({ stored, what, judged, outcome }: ReportInput): object {
  return {
    what,
    conclusion: judged?.judgement.conclusion ?? 'uploaded',
    exit_code: outcome.exitCode,
    line: outcome.line,
    sbom: stored,
    verdict: judged?.verdict ?? null,
  };
}

function tableReport(verdict: SbomVerdict): string {
  const { failing, failing_total, baseline } = verdict;
  const lines = [`Findings: ${countsText(verdict)}.`];
  if (baseline)
    lines.push(
      cleanText(`Baseline: version ${baseline.version ?? '(none)'}, SBOM ${baseline.sbom_id}.`),
    );
  if (failing.length > 0) {
    const rows = failing.map((row) => [...vulnerabilityCells(row), row.is_new ? 'new' : '']);
    lines.push(`At or above ${verdict.fail_on}:`, table([...VULNERABILITY_HEAD, ''], rows));
  }
  if (failing_total > failing.length) lines.push(`And ${failing_total - failing.length} more.`);
  lines.push(...verdict.caveats.map(({ message }) => cleanText(`Note: ${message}`)));
  return `${lines.join('\n')}\n`;
}

/** Returns null unless the findings are complete: code scanning closes alerts that a run does not repeat. */
async function sarifReport(context: Context, input: ReportInput): Promise<string | null> {
  const { judged, stored, file, folder, toolVersion } = input;
  const none = (why: string): null => {
    context.say(
      `No SARIF is written, as the findings are incomplete and it would close alerts. ${why}`,
    );
    return null;
  };
  if (!judged) return none('Give --wait or --fail-on to wait for the scan.');
  if (!file) return none('The document is not available.');
  const doubt = findingsDoubt(judged.verdict);
  if (doubt !== null) return none(doubt);
  const detail: SbomDetail = await context.api.sbom(stored.id);
  const limits = judged.verdict.caveats.map(({ message }) => message);
  return jsonText(sarif({ detail, file, folder, toolVersion, limits }));
}
