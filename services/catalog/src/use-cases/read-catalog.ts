import {
  AppError,
  pageWindow,
  type HistoryItem,
  type LineNames,
  type PageOf,
  type SbomRecord,
} from '@bomtrail/messages';
import type { LineStore } from '../store/line-store';
import type { ProjectStore } from '../store/project-store';
import type { SbomStore } from '../store/sbom-store';
import { sbomRecord } from './views';

export interface ReadCatalogDeps {
  projects: ProjectStore;
  lines: LineStore;
  sboms: SbomStore;
}

/** @throws AppError `sbom_not_found` */
export async function readSbom(deps: ReadCatalogDeps, sbomId: string): Promise<SbomRecord> {
  const sbom = await deps.sboms.byId(sbomId);
  const line = sbom && (await deps.lines.byId(sbom.line_id));
  if (!sbom || !line) throw new AppError('sbom_not_found');
  return sbomRecord(sbom, line);
}

/** @throws AppError `project_not_found` */
export async function readHistory(
  deps: ReadCatalogDeps,
  input: { project_id: string; page: number; per_page: number },
): Promise<PageOf<HistoryItem>> {
  if (!(await deps.projects.byId(input.project_id))) throw new AppError('project_not_found');
  const { items, total } = await deps.sboms.history(input.project_id, pageWindow(input));
  return {
    total,
    items: items.map((sbom) => ({
      id: sbom._id,
      version: sbom.version,
      format: sbom.format,
      dependency_count: sbom.dependency_count,
      created_at: sbom.created_at.toISOString(),
    })),
  };
}

/** Project and service names for version lines; a line that is gone is left out. */
export async function readLineNames(
  deps: ReadCatalogDeps,
  lineIds: string[],
): Promise<LineNames[]> {
  const lines = await deps.lines.byIds(lineIds);
  const projects = await deps.projects.namesOf([...new Set(lines.map((line) => line.project_id))]);
  const names = new Map(projects.map((project) => [project._id, project.name]));
  return lines.map((line) => ({
    line_id: line._id,
    project_id: line.project_id,
    project_name: names.get(line.project_id) ?? '',
    service_id: line.name === null ? null : line._id,
    service_name: line.name,
  }));
}

/** @throws AppError `project_not_found`, `service_not_found` */
export async function checkScopeExists(
  deps: ReadCatalogDeps,
  scope: { project_id: string; service_id: string | null },
): Promise<{ line_id: string | null }> {
  if (!(await deps.projects.byId(scope.project_id))) throw new AppError('project_not_found');
  if (scope.service_id === null) return { line_id: null };
  const line = await deps.lines.byId(scope.service_id);
  if (!line || line.name === null || line.project_id !== scope.project_id) {
    throw new AppError('service_not_found');
  }
  return { line_id: line._id };
}
