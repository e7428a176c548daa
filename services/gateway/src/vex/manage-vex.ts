import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import {
  hasRight,
  maySee,
  narrowed,
  onlyProjectOf,
  scopeOf,
  type Caller,
} from '../api-keys/domain/caller';
import { actorOf } from '../access/actor-of';
import type { PageRequest } from '../shared/page-envelope';
import type { ReceivedFile } from '../uploads/received-file';

export interface VexDeps {
  request: Request;
}

/**
 * Imports a document into the named project, else into that of the caller's key, else into all projects.
 *
 * @throws AppError `insufficient_scope`, `project_not_found`, `payload_too_large`, those of the reconciler
 */
export async function importVex(
  { request }: VexDeps,
  caller: Caller,
  { project_id, file }: { project_id?: string; file: Omit<ReceivedFile, 'dispose'> },
): Promise<messages.VexDocumentDetail> {
  const projectId = project_id ?? onlyProjectOf(caller);
  if (projectId === null && !hasRight(caller, 'administer'))
    throw new AppError(
      'insufficient_scope',
      'A document for all projects needs the scope admin: name a project_id.',
    );
  if (projectId !== null && !maySee(caller, projectId)) throw new AppError('project_not_found');
  if (file.size > messages.maxVexBytes)
    throw new AppError('payload_too_large', 'A VEX document has at most 10 MiB.');
  const query = { project_id: projectId, size: file.size, created_by: actorOf(caller) };
  return (await request(messages.importVex, query, await file.packed())).body;
}

/** One page of the documents that apply in what the caller sees. */
export async function listVex(
  { request }: VexDeps,
  caller: Caller,
  { project_id, ...page }: PageRequest & { project_id?: string },
): Promise<messages.PageOf<messages.VexDocumentView>> {
  const scope = narrowed(caller, project_id);
  if (scope === 'nothing') return { items: [], total: 0 };
  return (await request(messages.listVex, { ...page, project_id: scope.projectId })).body;
}

/** @throws AppError `vex_not_found` */
export async function readVex(
  { request }: VexDeps,
  caller: Caller,
  vex_id: string,
): Promise<messages.VexDocumentDetail> {
  const query = { vex_id, of_project: scopeOf(caller) };
  return (await request(messages.readVexDocument, query)).body;
}

/**
 * @returns its project; null if it was for all
 * @throws AppError `vex_not_found`; `insufficient_scope` for a document for all projects
 */
export async function deleteVex(
  deps: VexDeps,
  caller: Caller,
  vex_id: string,
): Promise<string | null> {
  const { project_id } = await readVex(deps, caller, vex_id);
  if (project_id === null && !hasRight(caller, 'administer'))
    throw new AppError(
      'insufficient_scope',
      'Withdrawing a document for all projects needs the scope admin.',
    );
  await deps.request(messages.deleteVex, { vex_id, of_project: scopeOf(caller) });
  return project_id;
}
