import { ApiError, type UploadResult } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { EXIT, serviceError, usageError } from '../exit-codes';
import { awaitVerdict } from '../gate/await-verdict';
import { evaluateVerdict } from '../gate/evaluate-verdict';
import {
  creatableSlug,
  createProject,
  projectTarget,
  type ProjectTarget,
} from '../gate/project-target';
import type * as Grpc from '../grpc/upload-over-grpc';
import { readDocument, type SbomFile } from '../gate/read-document';
import { writeReports, type Judged } from '../gate/write-reports';
import type { Build } from '../gate/build-of';
import { cleanText } from '../output/clean-text';
import { readTargets } from '../output/targets';

/** Maximum wait for a verdict with `--fail-on` but without `--wait`, in milliseconds. */
const defaultWaitMs = 60_000;

export interface UploadOptions {
  file: string;
  version: string;
  createProject: boolean;
  output: readonly string[];
  /** Source of the document `-`. */
  input: AsyncIterable<Uint8Array>;
  /** Base folder of locations in SARIF. */
  folder: string;
  toolVersion: string;
  /** Sent over REST. */
  build: Build;
}

/** The stored document as reported by the service; over gRPC without the scan status. */
export type Stored = Pick<UploadResult, 'id' | 'format' | 'dependency_count' | 'sha256'>;

/**
 * Uploads a document and, with a wait or a threshold, reports its verdict. Idempotent: repeating the latest document
 * and version of a service stores nothing new.
 *
 * @throws CliError, ApiError
 */
export async function upload(context: Context, options: UploadOptions): Promise<Outcome> {
  const { settings } = context;
  const targets = readTargets(options.output);
  const target = projectTarget(settings.project);
  if (options.createProject) creatableSlug(target);
  if (!settings.service)
    throw usageError(
      'No service given. Set --service, BOMTRAIL_SERVICE or `service:` in .bomtrail.yaml.',
    );
  const file = await readDocument(options.file, options.input);
  const stored = await store(context, { target, file, options, service: settings.service });
  if (stored.sha256 !== file.sha256) {
    throw serviceError(
      `SBOM ${stored.id} was stored with SHA-256 ${stored.sha256}, but the document has ${file.sha256}.`,
    );
  }
  context.setInterruptMessage(
    `SBOM ${stored.id} is stored and its scan continues: bomtrail status ${stored.id} --wait`,
  );
  context.say(
    `Stored as SBOM ${stored.id}: ${stored.dependency_count ?? '?'} components, ${stored.format}.`,
  );

  const what = `${settings.project}/${settings.service} ${options.version}`;
  const { failOn, failOnKev, maxEpss } = settings;
  const isGated = failOn !== undefined || failOnKev || maxEpss !== undefined;
  const waitMs = settings.waitMs ?? (isGated ? defaultWaitMs : null);
  const judged = waitMs === null ? null : await judge(context, { stored, what, waitMs });
  const outcome = judged?.judgement ?? uploadedOnly(what, stored);
  const { folder, toolVersion } = options;
  await writeReports(context, {
    targets,
    what,
    stored,
    file,
    judged,
    outcome,
    folder,
    toolVersion,
  });
  return outcome;
}

async function judge(
  { api, settings, say }: Context,
  { stored, what, waitMs }: { stored: Stored; what: string; waitMs: number },
): Promise<Judged> {
  say(`Waiting for the scan, up to ${Math.round(waitMs / 1000)} s.`);
  const verdict = await awaitVerdict(api, { ...settings, sbomId: stored.id, withinMs: waitMs });
  return { verdict, judgement: evaluateVerdict(verdict, what, settings.failOn) };
}

function uploadedOnly(what: string, { id }: Stored): Outcome {
  const line = `UPLOADED ${what}: stored as ${id}; not evaluated, as neither --fail-on nor --wait was given`;
  return { exitCode: EXIT.pass, line: cleanText(line) };
}

interface Storing {
  target: ProjectTarget;
  file: SbomFile;
  service: string;
  options: UploadOptions;
}

/** Uploads over the configured transport; creates a missing project if allowed. */
async function store(context: Context, storing: Storing): Promise<Stored> {
  try {
    return await send(context, storing);
  } catch (error) {
    if (!storing.options.createProject || !isMissingProject(error)) throw asUsageError(error);
  }
  const slug = creatableSlug(storing.target);
  context.setInterruptMessage(`No SBOM was stored. The project "${slug}" may have been created.`);
  await createProject(context.api, storing.target);
  context.say(`Project "${slug}" did not exist: created.`);
  try {
    return await send(context, storing);
  } catch (error) {
    if (!isMissingProject(error)) throw asUsageError(error);
    throw usageError(`A project named "${slug}" has another slug; give that slug as --project.`);
  }
}

async function send(
  context: Context,
  { target, file, service, options }: Storing,
): Promise<Stored> {
  const { settings, api, say } = context;
  const { version } = options;
  context.setInterruptMessage(
    'The upload was in progress: it was stored completely or not at all. Repeat the command; it creates no second SBOM.',
  );
  say(
    `Uploading ${file.name === '-' ? 'standard input' : file.name} (${file.bytes.length} bytes) to ${transportOf(context)}.`,
  );
  if (settings.transport === 'rest') {
    const { build } = options;
    return api.upload({ ...target, ...build, file: file.packed, version, service_name: service });
  }
  // Loaded on demand: it is larger than the rest of the program.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const grpc = require('../grpc/upload-over-grpc') as typeof Grpc;
  return grpc.uploadOverGrpc(settings, { target, version, service_name: service, file }, say);
}

function transportOf({ settings }: Context): string {
  const { grpc, transport, url, urlFromFile, projectFile } = settings;
  if (transport === 'grpc') return `${grpc.tls ? 'grpcs' : 'grpc'}://${grpc.address}`;
  return urlFromFile ? `${url} (from ${projectFile})` : url;
}

function isMissingProject(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'project_not_found';
}

function asUsageError(error: unknown): unknown {
  if (!isMissingProject(error)) return error;
  return usageError(
    'The project does not exist (project_not_found). Give --create-project to create it.',
  );
}
