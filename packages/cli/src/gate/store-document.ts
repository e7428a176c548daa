import { ApiError, type UploadResult } from '@bomtrail/api-client';
import type { Context } from '../context';
import { serviceError, usageError } from '../exit-codes';
import type * as Grpc from '../grpc/upload-over-grpc';
import type { Build } from './build-of';
import { creatableSlug, createProject, type ProjectTarget } from './project-target';
import type { SbomFile } from './read-document';

/** The stored document as reported by the service; over gRPC without the scan status. */
export type Stored = Pick<UploadResult, 'id' | 'format' | 'dependency_count' | 'sha256'> &
  Partial<Pick<UploadResult, 'quality_score'>>;

/** A document and where to store it. */
export interface Storing {
  target: ProjectTarget;
  file: SbomFile;
  service: string;
  version: string;
  /** Whether a missing project may be created. */
  createProject: boolean;
  /** Sent over REST. */
  build: Build;
}

/**
 * Uploads a document over the configured transport; creates a missing project if allowed. Idempotent: repeating the
 * latest document and version of a service stores nothing new.
 *
 * @throws CliError, ApiError
 */
export async function storeDocument(context: Context, storing: Storing): Promise<Stored> {
  const stored = await storeOrCreate(context, storing);
  if (stored.sha256 !== storing.file.sha256) {
    throw serviceError(
      `SBOM ${stored.id} was stored with SHA-256 ${stored.sha256}, but the document has ${storing.file.sha256}.`,
    );
  }
  return stored;
}

async function storeOrCreate(context: Context, storing: Storing): Promise<Stored> {
  try {
    return await send(context, storing);
  } catch (error) {
    if (!storing.createProject || !isMissingProject(error)) throw asUsageError(error);
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

async function send(context: Context, storing: Storing): Promise<Stored> {
  const { settings, api, say } = context;
  const { target, file, service, version, build } = storing;
  context.setInterruptMessage(
    'The upload was in progress: it was stored completely or not at all. Repeat the command; it creates no second SBOM.',
  );
  say(
    `Uploading ${file.name === '-' ? 'standard input' : file.name} (${file.bytes.length} bytes) to ${transportOf(context)}.`,
  );
  if (settings.transport === 'rest')
    return api.upload({ ...target, ...build, file: file.packed, version, service_name: service });
  // Loaded on demand: it is larger than the rest of the program.
  // oxlint-disable-next-line typescript/no-require-imports
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
