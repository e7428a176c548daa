import {
  AppError,
  type DecisionActor,
  type ImportChanges,
  type ImportSource,
  type ImportView,
} from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import type { ImportDocument } from '../store/import-store';
import { wholeView, type ReadImportsDeps } from './read-imports';

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
  const begun: ImportDocument = {
    _id: newId(),
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
  };
  await deps.imports.insert(begun);
  return wholeView(deps, begun);
}

/**
 * Adds to the report of an import; the same again changes nothing but the time.
 *
 * @throws AppError `import_not_found`, `project_not_found`
 */
export async function updateImport(
  deps: ReadImportsDeps,
  { import_id, changes }: { import_id: string; changes: ImportChanges },
): Promise<ImportView> {
  const { services = [], ...given } = changes;
  const wanted = [...new Set(services.map(({ project_id }) => project_id))];
  const existing = await deps.projects.namesOf(wanted);
  if (existing.length < wanted.length) throw new AppError('project_not_found');
  // The report of a service may be there before it counts as reported: it is sent again then.
  if (!(await deps.imports.byId(import_id))) throw new AppError('import_not_found');
  await deps.imports.putServices(import_id, services);
  const stored = await deps.imports.update(import_id, { ...given, updated_at: new Date() });
  if (!stored) throw new AppError('import_not_found');
  return wholeView(deps, stored);
}
