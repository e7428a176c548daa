import path from 'node:path';
import type { Context, Outcome } from '../context';
import { usageError } from '../exit-codes';
import type { Build } from '../gate/build-of';
import { findDocuments } from '../gate/find-documents';
import { generateSbom } from '../gate/generate-sbom';
import { inParallel } from '../gate/in-parallel';
import { overallOutcome } from '../gate/overall-outcome';
import { creatableSlug, projectTarget } from '../gate/project-target';
import { readDocument } from '../gate/read-document';
import { recordIgnored } from '../ignores/record-ignored';
import { sayExpired } from '../ignores/say-expired';
import { serviceNames } from '../gate/service-names';
import { failedReport, uploadDocument } from '../gate/upload-document';
import { writeReports } from '../gate/write-reports';
import type { Storing } from '../gate/store-document';
import type { DocumentReport } from '../output/document-report';
import { prepareFiles, readTargets } from '../output/reports/targets';

/** Documents uploaded at the same time. */
const atOnce = 4;

export interface UploadOptions {
  /** Files, patterns, or `-`. */
  files: readonly string[];
  /** Folders to create an SBOM of. */
  from: readonly string[];
  version: string;
  createProject: boolean;
  /** Stores what the project file ignores as acceptances. */
  recordIgnored: boolean;
  output: readonly string[];
  /** Source of the document `-`. */
  input: AsyncIterable<Uint8Array>;
  /** Base folder of patterns and of locations in reports. */
  folder: string;
  toolVersion: string;
  build: Build;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Uploads documents and, with a wait or a gate, reports their verdict: of several documents one, with the exit code of
 * the worst. A document that fails does not stop the others.
 *
 * @throws CliError, ApiError
 */
export async function upload(context: Context, options: UploadOptions): Promise<Outcome> {
  const targets = readTargets(options.output);
  const target = projectTarget(context.settings.project);
  if (options.createProject) creatableSlug(target);
  const named = await findDocuments(options.files, options.folder);
  prepareFiles(targets, named);
  if (named.length + options.from.length === 0)
    throw usageError('No document given. Name files, or a folder with --from.');
  // Named before anything runs, so that a wrong pattern costs nothing.
  const services = serviceNames(
    context.settings.service,
    [...named, ...options.from.map((folder) => path.join(folder, 'sbom.cdx.json'))],
    options.folder,
  );
  sayExpired(context);
  const jobs = [...services].map(([name, service], index) => {
    const from = index < named.length ? null : (options.from[index - named.length] ?? null);
    return { name, service, from, storing: { target, ...options } };
  });
  const [first] = jobs;
  const documents =
    jobs.length === 1 && first
      ? [await uploadOne(context, first, options)]
      : await uploadSeveral(context, jobs, options);
  if (options.recordIgnored) await recordIgnored(context, documents);
  const outcome = overallOutcome(documents);
  return writeReports(context, { ...options, targets, documents, outcome });
}

interface Job {
  /** The file, or the place of the document to create. */
  name: string;
  service: string;
  /** The folder to create the document from; null: it exists. */
  from: string | null;
  storing: Pick<Storing, 'target' | 'version' | 'createProject' | 'build'>;
}

async function uploadOne(
  context: Context,
  { name, service, from, storing }: Job,
  { env, input }: UploadOptions,
): Promise<DocumentReport> {
  const generated = from === null ? null : await generateSbom(from, { env, say: context.say });
  try {
    const file = await readDocument(generated?.file ?? name, input);
    return await uploadDocument(context, { ...storing, service, file });
  } finally {
    generated?.discard();
  }
}

/** Some at a time; a document that fails has an error as its result. */
async function uploadSeveral(
  context: Context,
  jobs: readonly Job[],
  options: UploadOptions,
): Promise<DocumentReport[]> {
  context.setInterruptMessage(
    'Uploads were in progress: each was stored completely or not at all. Repeat the command; it creates no second SBOM.',
  );
  return inParallel(jobs, atOnce, async (job) => {
    const own = {
      ...context,
      say: (line: string) => context.say(`${job.from ?? job.name}: ${line}`),
      setInterruptMessage: () => {},
    };
    const report = await uploadOne(own, job, options).catch((error: unknown) =>
      failedReport(context, { error, service: job.service, version: options.version }),
    );
    context.say(report.outcome.line);
    return report;
  });
}
