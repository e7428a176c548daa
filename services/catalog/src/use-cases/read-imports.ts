import {
  AppError,
  pageWindow,
  type ImportedServiceView,
  type ImportTotals,
  type ImportView,
  type PageOf,
  type ProjectScope,
} from '@bomtrail/messages';
import { statusOfImport } from '../domain/import-status';
import type { ImportDocument, ImportStore, ProjectSums } from '../store/import-store';
import type { ProjectStore } from '../store/project-store';

export interface ReadImportsDeps {
  imports: ImportStore;
  projects: ProjectStore;
}

interface OfImport {
  import_id: string;
  /** The only projects that exist for the caller; null: all. */
  of_project: ProjectScope | null;
}

/** Imports, newest first; for some projects those into them, counted over them. */
export async function listImports(
  deps: ReadImportsDeps,
  query: { page: number; per_page: number; of_project: ProjectScope | null },
): Promise<PageOf<ImportView>> {
  const within = query.of_project ?? undefined;
  const { items, total } = await deps.imports.list(within, pageWindow(query));
  const ids = items.map(({ _id }) => _id);
  const all = await existingSums(deps, ids, within);
  const sumsOf = (id: string) => all.filter(({ import_id }) => import_id === id);
  return { total, items: items.map((one) => viewOf(one, { sums: sumsOf(one._id), within })) };
}

/** @throws AppError `import_not_found` */
export async function readImport(
  deps: ReadImportsDeps,
  { import_id, of_project }: OfImport,
): Promise<ImportView> {
  const within = of_project ?? undefined;
  const { found, sums } = await existing(deps, import_id, within);
  return viewOf(found, { sums, within });
}

/** An import as callers with all projects see it. */
export async function wholeView(deps: ReadImportsDeps, one: ImportDocument): Promise<ImportView> {
  const sums = await existingSums(deps, [one._id], undefined);
  return viewOf(one, { sums, within: undefined });
}

/** What an import brought, by project and service. @throws AppError `import_not_found` */
export async function listImportedServices(
  deps: ReadImportsDeps,
  { import_id, of_project, ...page }: OfImport & { page: number; per_page: number },
): Promise<PageOf<ImportedServiceView>> {
  const { sums } = await existing(deps, import_id, of_project ?? undefined);
  const ids = sums.map(({ project_id }) => project_id);
  const names = new Map((await deps.projects.namesOf(ids)).map((one) => [one._id, one]));
  const found = await deps.imports.servicesOf(import_id, [...names.keys()], pageWindow(page));
  const items = found.map((one) => {
    const { name = '', slug = '' } = names.get(one.project_id) ?? {};
    return { ...one, project_name: name, project_slug: slug };
  });
  return { items, total: totalsOf(sums).services };
}

/** @throws AppError `import_not_found`, also if it brought nothing into these projects */
async function existing(
  deps: ReadImportsDeps,
  import_id: string,
  within: ProjectScope | undefined,
): Promise<{ found: ImportDocument; sums: ProjectSums[] }> {
  const found = await deps.imports.byId(import_id);
  if (!found) throw new AppError('import_not_found');
  const sums = await existingSums(deps, [import_id], within);
  if (within && sums.length === 0) throw new AppError('import_not_found');
  return { found, sums };
}

/** Sums of the projects that still exist. */
async function existingSums(
  { imports, projects }: ReadImportsDeps,
  ids: readonly string[],
  within: ProjectScope | undefined,
): Promise<ProjectSums[]> {
  const sums = await imports.sumsOf(ids, within);
  const named = await projects.namesOf([...new Set(sums.map(({ project_id }) => project_id))]);
  const existing = new Set(named.map(({ _id }) => _id));
  return sums.filter(({ project_id }) => existing.has(project_id));
}

function viewOf(
  one: ImportDocument,
  { sums, within }: { sums: readonly ProjectSums[]; within: ProjectScope | undefined },
): ImportView {
  const { _id: id, source, source_version, error, created_by } = one;
  return {
    id,
    source,
    source_version,
    status: statusOfImport(one, new Date()),
    // It may name what the caller does not see.
    error: within ? null : error,
    totals: totalsOf(sums),
    skipped_total: within ? null : one.skipped_total,
    skipped: within ? null : one.skipped,
    policies: within ? null : one.policies,
    created_by,
    created_at: one.created_at.toISOString(),
    updated_at: one.updated_at.toISOString(),
  };
}

function totalsOf(sums: readonly ProjectSums[]): ImportTotals {
  const sum = (name: keyof ImportTotals & keyof ProjectSums): number =>
    sums.reduce((total, one) => total + one[name], 0);
  return {
    projects: sums.length,
    services: sum('services'),
    versions: sum('versions'),
    uploaded: sum('uploaded'),
    refused: sum('refused'),
    findings_there: sum('findings_there'),
    findings_here: sum('findings_here'),
    analyses: sum('analyses'),
    decided: sum('decided'),
    unmatched: sum('unmatched'),
  };
}
