import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import { maySee, type Caller } from '../domain/caller';

/** A received file, gzip'd on disk. */
export interface StoredFile {
  path: string;
  /** Of the gzip'd file, in bytes. */
  packedSize: number;
  /** Of the unpacked bytes. */
  size: number;
  /** Lower-case hex over the unpacked bytes. */
  sha256: string;
}

/** The target as a client named it; what it left out is null. */
export function uploadTarget(given: Partial<messages.UploadTarget>): messages.UploadTarget {
  const { project_id = null, project_slug = null, version = null, service_name = null } = given;
  return { project_id, project_slug, version, service_name };
}

/** Hands a received file on; resolves when the SBOM is stored for good. @throws AppError what ingest and catalog say */
export async function uploadSbom(
  deps: { request: Request },
  caller: Caller,
  upload: { target: messages.UploadTarget; file: StoredFile },
): Promise<messages.UploadResult> {
  const target = await withinBinding(deps, caller, upload.target);
  const { file } = upload;
  const answer = await deps.request(
    messages.acceptUpload,
    { ...target, sha256: file.sha256, size: file.size },
    { file: file.path, size: file.packedSize },
  );
  return answer.body;
}

/** For a bound key other projects do not exist, whether it names them by id or by slug. */
async function withinBinding(
  deps: { request: Request },
  caller: Caller,
  target: messages.UploadTarget,
): Promise<messages.UploadTarget> {
  if (caller.projectId === null) return target;
  const { project_id, project_slug } = target;
  const named = { project_id, project_slug };
  const id = project_id ?? (await deps.request(messages.getProject, named)).body.id;
  if (!maySee(caller, id)) throw new AppError('project_not_found');
  return { ...target, project_id: id, project_slug: null };
}
