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
import { cleanText } from '../output/clean-text';
import { readTargets } from '../output/targets';

/** How long a verdict is waited for where `--fail-on` stands without `--wait`, in milliseconds. */
const defaultWaitMs = 60_000;

export interface UploadOptions {
  file: string;
  version: string;
  createProject: boolean;
  output: readonly string[];
  /** Where `-` is read from. */
  input: AsyncIterable<Uint8Array>;
  /** The folder that places in SARIF are relative to. */
  folder: string;
  toolVersion: string;
}

/** What the service said of a stored document; over gRPC without the state of the scan. */
export type Stored = Pick<UploadResult, 'id' | 'format' | 'dependency_count' | 'sha256'>;

/**
 * Uploads a document and, where a wait or a threshold was asked for, says what became of it. Repeating
 * it is safe: the same document with the same version as the latest of its service makes nothing new.
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
      'Which service? Give --service, BOMTRAIL_SERVICE or `service:` in .bomtrail.yaml.',
    );
  const file = await readDocument(options.file, options.input);
  const stored = await store(context, { target, file, options, service: settings.service });
  if (stored.sha256 !== file.sha256) {
    throw serviceError(
      `SBOM ${stored.id} was stored with SHA-256 ${stored.sha256}, but the document has ${file.sha256}.`,
    );
  }
  context.setInterruptMessage(
    `SBOM ${stored.id} is stored and its scan goes on: bomtrail status ${stored.id} --wait`,
  );
  context.say(
    `Stored as SBOM ${stored.id}: ${stored.dependency_count ?? '?'} components, ${stored.format}.`,
  );

  const what = `${settings.project}/${settings.service} ${options.version}`;
  const waitMs = settings.waitMs ?? (settings.failOn ? defaultWaitMs : null);
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
  const { failOn, onlyNew, baseline } = settings;
  const query = { sbomId: stored.id, failOn, onlyNew, baseline, withinMs: waitMs };
  const verdict = await awaitVerdict(api, query);
  return { verdict, judgement: evaluateVerdict(verdict, what, failOn) };
}

function uploadedOnly(what: string, { id }: Stored): Outcome {
  const line = `UPLOADED ${what}: stored as ${id}; not judged, as neither --fail-on nor --wait was given`;
  return { exitCode: EXIT.pass, line: cleanText(line) };
}

interface Storing {
  target: ProjectTarget;
  file: SbomFile;
  service: string;
  options: UploadOptions;
}

/** Stores it, over the transport that is set; makes the project first where it is missing and may be made. */
async function store(context: Context, storing: Storing): Promise<Stored> {
  try {
    return await send(context, storing);
  } catch (error) {
    if (!storing.options.createProject || !isMissingProject(error)) throw asUsageError(error);
  }
  const slug = creatableSlug(storing.target);
  context.setInterruptMessage(`No SBOM was stored. The project "${slug}" may have been made.`);
  await createProject(context.api, storing.target);
  context.say(`Project "${slug}" was not there: made.`);
  try {
    return await send(context, storing);
  } catch (error) {
    if (!isMissingProject(error)) throw asUsageError(error);
    throw usageError(`A project named "${slug}" has another slug: give that one as --project.`);
  }
}

async function send(
  context: Context,
  { target, file, service, options }: Storing,
): Promise<Stored> {
  const { settings, api, say } = context;
  const { version } = options;
  context.setInterruptMessage(
    'The upload was under way: it was stored whole or not at all. Repeat the command; it makes no second SBOM.',
  );
  say(
    `Uploading ${file.name === '-' ? 'standard input' : file.name} (${file.bytes.length} bytes) to ${transportOf(context)}.`,
  );
  if (settings.transport === 'rest') {
    return api.upload({ ...target, file: file.packed, version, service_name: service });
  }
  // Read only when it is asked for: it is larger than all the rest.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const grpc = require('../grpc/upload-over-grpc') as typeof Grpc;
  return grpc.uploadOverGrpc(settings, { target, version, service_name: service, file }, say);
}

function transportOf({ settings }: Context): string {
  const { grpc, transport, url, urlFromFile, projectFile } = settings;
  if (transport === 'grpc') return `${grpc.tls ? 'grpcs' : 'grpc'}://${grpc.address}`;
  return urlFromFile ? `${url} (named by ${projectFile})` : url;
}

function isMissingProject(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'project_not_found';
}

function asUsageError(error: unknown): unknown {
  if (!isMissingProject(error)) return error;
  return usageError(
    'The project does not exist (project_not_found). Give --create-project to make it.',
  );
}
