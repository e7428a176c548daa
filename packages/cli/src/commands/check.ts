import type { Context, Outcome } from '../context';
import { usageError } from '../exit-codes';
import { checkDocument, checkName, type Checking } from '../gate/check-document';
import { findDocuments } from '../gate/find-documents';
import { inParallel } from '../gate/in-parallel';
import { overallOutcome } from '../gate/overall-outcome';
import { projectTarget } from '../gate/project-target';
import { readDocument } from '../gate/read-document';
import { serviceNames } from '../gate/service-names';
import { writeReports } from '../gate/write-reports';
import { explainError } from '../http/explain-error';
import { sayExpired } from '../ignores/say-expired';
import type { DocumentReport } from '../output/document-report';
import { prepareFiles, readTargets } from '../output/reports/targets';

/** Documents checked at the same time. */
const atOnce = 4;

export interface CheckOptions {
  /** Files, patterns, or `-`. */
  files: readonly string[];
  version: string | undefined;
  output: readonly string[];
  /** Source of the document `-`. */
  input: AsyncIterable<Uint8Array>;
  /** Base folder of patterns and of locations in reports. */
  folder: string;
  toolVersion: string;
}

/**
 * Judges documents without storing them: of several one verdict, with the exit code of the worst. With a project, the
 * decisions and the baseline of the service apply.
 *
 * @throws CliError, ApiError
 */
export async function check(context: Context, options: CheckOptions): Promise<Outcome> {
  const { settings } = context;
  const targets = readTargets(options.output);
  const files = await findDocuments(options.files, options.folder);
  prepareFiles(targets, files);
  if (files.length === 0)
    throw usageError('No document given. Name files, or - for standard input.');
  if (settings.service && !settings.project)
    throw usageError('A service needs its project: set --project or BOMTRAIL_PROJECT.');
  const target = settings.project ? projectTarget(settings.project) : undefined;
  const services = settings.service
    ? serviceNames(settings.service, files, options.folder)
    : new Map<string, string>();
  sayExpired(context);
  const { version } = options;
  const read = async (name: string): Promise<DocumentReport> => {
    const file = await readDocument(name, options.input);
    const checking: Checking = { file, target, service: services.get(name), version };
    return checkDocument(context, checking);
  };
  const [first = ''] = files;
  const documents =
    files.length === 1
      ? [await read(first)]
      : await inParallel(files, atOnce, async (name) => {
          const report = await read(name).catch((error: unknown) =>
            failedCheck(
              error,
              checkName({ file: { name }, service: services.get(name), version }, settings),
            ),
          );
          context.say(report.outcome.line);
          return report;
        });
  const outcome = overallOutcome(documents);
  return writeReports(context, { ...options, targets, documents, outcome });
}

/** The report of a document whose check failed. @throws the error if it is a bug of this program */
function failedCheck(error: unknown, what: string): DocumentReport {
  const explained = explainError(error);
  if (!explained) throw error;
  const outcome = { exitCode: explained.exitCode, line: `ERROR ${what}: ${explained.message}` };
  const findings = async () => ({ service_name: null, vulnerabilities: [] });
  return { what, stored: null, file: null, judged: null, outcome, findings };
}
