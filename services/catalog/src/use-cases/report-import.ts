import {
  AppError,
  type DecisionActor,
  type ImportSource,
  type ImportView,
} from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import type { ImportedServiceReport } from '@bomtrail/messages';
import type { ImportChanges } from '../store/import-store';
import { readImport, type ReadImportsDeps } from './read-imports';

/** Begins the report of an import. */
export async function createImport(
  deps: ReadImportsDeps,
  {
    source,
    source_version,
    created_by = null,
  }: {
    source: ImportSource;
    source_version: string | null;
    created_by?: DecisionActor | null | undefined;
  },
): Promise<ImportView> {
  const now = new Date();
  const _id = newId();
  await deps.imports.insert({
    _id,
    source,
    source_version,
    status: 'running',
    error: null,
    skipped_total: 0,
    skipped: [],
    policies: null,
    created_by,
    created_at: now,
    updated_at: now,
  });
  return readImport(deps, { import_id: _id, of_project: null });
}

/**
 * Adds to the report of an import; the same again changes nothing but the time.
 *
 * @throws AppError `import_not_found`, `project_not_found`
 */
export async function updateImport(
  deps: ReadImportsDeps,
  {
    import_id,
    changes: { services = [], ...given },
  }: {
    import_id: string;
    changes: { [Name in keyof ImportChanges]?: ImportChanges[Name] | undefined } & {
      services?: ImportedServiceReport[] | undefined;
    };
  },
): Promise<ImportView> {
  const wanted = [...new Set(services.map(({ project_id }) => project_id))];
  const existing = await deps.projects.namesOf(wanted);
  if (existing.length < wanted.length) throw new AppError('project_not_found');
  const changes = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as ImportChanges;
  // The report of a service may be there before it counts as reported: it is sent again then.
  if (!(await deps.imports.byId(import_id))) throw new AppError('import_not_found');
  await deps.imports.putServices(import_id, services);
  await deps.imports.update(import_id, { ...changes, updated_at: new Date() });
  return readImport(deps, { import_id, of_project: null });
}
