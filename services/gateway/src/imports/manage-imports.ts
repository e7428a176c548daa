import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { actorOf } from '../access/actor-of';
import { scopeOf, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';

export interface ImportDeps {
  request: Request;
}

export type NewImport = components['schemas']['ImportCreate'];
export type ImportUpdate = components['schemas']['ImportUpdate'];

export async function createImport(
  { request }: ImportDeps,
  caller: Caller,
  { source, source_version = null }: NewImport,
): Promise<messages.ImportView> {
  const asked = { source, source_version, created_by: actorOf(caller) };
  return (await request(messages.createImport, asked)).body;
}

/** @throws AppError `import_not_found`, `project_not_found` */
export async function updateImport(
  { request }: ImportDeps,
  update: { import_id: string; changes: ImportUpdate },
): Promise<messages.ImportView> {
  return (await request(messages.updateImport, update)).body;
}

/** Imports into projects of the caller. */
export async function listImports(
  { request }: ImportDeps,
  caller: Caller,
  page: PageRequest,
): Promise<messages.PageOf<messages.ImportView>> {
  return (await request(messages.listImports, { ...page, of_project: scopeOf(caller) })).body;
}

/** @throws AppError `import_not_found` */
export async function readImport(
  { request }: ImportDeps,
  caller: Caller,
  import_id: string,
): Promise<messages.ImportView> {
  return (await request(messages.readImport, { import_id, of_project: scopeOf(caller) })).body;
}

/** @throws AppError `import_not_found` */
export async function listImportedServices(
  { request }: ImportDeps,
  caller: Caller,
  asked: PageRequest & { import_id: string },
): Promise<messages.PageOf<messages.ImportedServiceView>> {
  const query = { ...asked, of_project: scopeOf(caller) };
  return (await request(messages.listImportedServices, query)).body;
}
