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
  const within = projectsOf(query.of_project);
  const { items, total } = await deps.imports.list(within, pageWindow(query));
  return { total, items: await withTotals(deps, items, within) };
}

/** @throws AppError `import_not_found` */
export async function readImport(
  deps: ReadImportsDeps,
  { import_id, of_project }: OfImport,
): Promise<ImportView> {
  const within = projectsOf(of_project);
  const found = await deps.imports.byId(import_id);
  const [view] = found ? await withTotals(deps, [found], within) : [];
  if (!view || (within && view.totals.services === 0)) throw new AppError('import_not_found');
  return view;
}

/** What an import brought, by project and service. @throws AppError `import_not_found` */
export async function listImportedServices(
  deps: ReadImportsDeps,
  { import_id, of_project, ...page }: OfImport & { page: number; per_page: number },
): Promise<PageOf<ImportedServiceView>> {
  const { totals } = await readImport(deps, { import_id, of_project });
  const sums = await existingSums(deps, [import_id], projectsOf(of_project));
  const ids = sums.map(({ project_id }) => project_id);
  const names = new Map((await deps.projects.namesOf(ids)).map((one) => [one._id, one]));
  const found = await deps.imports.servicesOf(import_id, [...names.keys()], pageWindow(page));
  const items = found.map((one) => {
    const { name = '', slug = '' } = names.get(one.project_id) ?? {};
    return { ...one, project_name: name, project_slug: slug };
  });
  return { items, total: totals.services };
}

/** What was deleted since does not count. */
async function existingSums(
  { imports, projects }: ReadImportsDeps,
  ids: readonly string[],
  within: readonly string[] | undefined,
): Promise<ProjectSums[]> {
  const sums = await imports.sumsOf(ids, within);
  const named = await projects.namesOf([...new Set(sums.map(({ project_id }) => project_id))]);
  const existing = new Set(named.map(({ _id }) => _id));
  return sums.filter(({ project_id }) => existing.has(project_id));
}

async function withTotals(
  deps: ReadImportsDeps,
  items: readonly ImportDocument[],
  within: readonly string[] | undefined,
): Promise<ImportView[]> {
  const ids = items.map(({ _id }) => _id);
  const sums = await existingSums(deps, ids, within);
  const now = new Date();
  return items.map((one) => {
    const { _id: id, source, source_version, error, created_by } = one;
    const own = sums.filter(({ import_id }) => import_id === id);
    return {
      id,
      source,
      source_version,
      status: statusOfImport(one, now),
      error,
      totals: totalsOf(own),
      skipped_total: within ? null : one.skipped_total,
      skipped: within ? null : one.skipped,
      policies: within ? null : one.policies,
      created_by,
      created_at: one.created_at.toISOString(),
      updated_at: one.updated_at.toISOString(),
    };
  });
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

function projectsOf(scope: ProjectScope | null): readonly string[] | undefined {
  if (scope === null) return undefined;
  return typeof scope === 'string' ? [scope] : scope;
}
