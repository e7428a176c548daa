import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { actorOf } from '../access/actor-of';
import { scopeOf, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';

export interface ImportDeps {
  request: Request;
}

export type NewImport = components['schemas']['ImportCreate'];
export type ImportUpdate = components['schemas']['ImportUpdate'];

/** @throws AppError `insufficient_scope` for a caller with some projects only */
export async function createImport(
  { request }: ImportDeps,
  caller: Caller,
  { source, source_version = null }: NewImport,
): Promise<messages.ImportView> {
  expectAllProjects(caller);
  const asked = { source, source_version, created_by: actorOf(caller) };
  return (await request(messages.createImport, asked)).body;
}

/** @throws AppError `insufficient_scope` as above, `import_not_found`, `project_not_found` */
export async function updateImport(
  { request }: ImportDeps,
  caller: Caller,
  update: { import_id: string; changes: ImportUpdate },
): Promise<messages.ImportView> {
  expectAllProjects(caller);
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

function expectAllProjects({ projects }: Caller): void {
  if (projects === 'all') return;
  throw new AppError(
    'insufficient_scope',
    'An import may create projects: its report needs a caller who is bound to none.',
  );
}
