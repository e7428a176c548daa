import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { uploaderOf } from '../access/actor-of';
import { maySee, type Caller } from '../api-keys/domain/caller';
import type { KnownDocuments } from './known-documents';
import type { ReceivedFile } from './received-file';

export interface UploadSbomDeps {
  request: Request;
  knownDocuments: KnownDocuments;
}

/** The build that an SBOM comes from, as its client says. */
export interface Build {
  commit?: string;
  build_url?: string;
}

/** The target named by a client; absent fields are null. */
export function uploadTarget(given: Partial<messages.UploadTarget>): messages.UploadTarget {
  const { project_id = null, project_slug = null, version = null, service_name = null } = given;
  return { project_id, project_slug, version, service_name };
}

/**
 * Forwards a received file; resolves when the SBOM is stored durably. @throws AppError of ingest
 * and catalog
 */
export async function uploadSbom(
  deps: UploadSbomDeps,
  caller: Caller,
  upload: { target: messages.UploadTarget; build?: Build; file: Omit<ReceivedFile, 'dispose'> },
): Promise<messages.AcceptedUpload> {
  const { file, build } = upload;
  const provenance = {
    uploaded_by: uploaderOf(caller),
    commit: build?.commit ?? null,
    build_url: build?.build_url ?? null,
  };
  const target = await withinBinding(deps, caller, upload.target);
  const named = { ...target, sha256: file.sha256, size: file.size, provenance };
  return (await byNameAlone(deps, named)) ?? (await withBytes(deps, named, file));
}

type Named = messages.UploadTarget & {
  sha256: string;
  size: number;
  provenance: messages.Provenance;
};

/** null: ingest does not have the document, or probably not. */
async function byNameAlone(
  { request, knownDocuments }: UploadSbomDeps,
  named: Named,
): Promise<messages.AcceptedUpload | null> {
  if (!knownDocuments.has(named.sha256)) return null;
  try {
    return (await request(messages.acceptUpload, named)).body;
  } catch (error) {
    const isUnknown = error instanceof AppError && error.code === 'malformed_body';
    if (!isUnknown) throw error;
    knownDocuments.delete(named.sha256);
    return null;
  }
}

async function withBytes(
  { request, knownDocuments }: UploadSbomDeps,
  named: Named,
  file: Pick<ReceivedFile, 'packed'>,
): Promise<messages.AcceptedUpload> {
  const { body } = await request(messages.acceptUpload, named, await file.packed());
  knownDocuments.add(named.sha256);
  return body;
}

/** For a bound key only its own project exists, by id or slug. */
export async function withinBinding(
  deps: { request: Request },
  caller: Caller,
  target: messages.UploadTarget,
): Promise<messages.UploadTarget> {
  if (caller.projects === 'all') return target;
  const { project_id, project_slug } = target;
  const named = { project_id, project_slug };
  const id = project_id ?? (await deps.request(messages.getProject, named)).body.id;
  if (!maySee(caller, id)) throw new AppError('project_not_found');
  return { ...target, project_id: id, project_slug: null };
}
