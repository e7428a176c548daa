import {
  AppError,
  pageWindow,
  type HistoryItem,
  type ListCursor,
  type PartOf,
  type ServiceNames,
  type SbomRecord,
} from '@bomtrail/messages';
import { effectiveOwnership } from '../domain/ownership';
import type { DeletionStore } from '../store/deletion-store';
import type { ServiceStore } from '../store/service-store';
import type { ProjectStore } from '../store/project-store';
import type { SbomStore } from '../store/sbom-store';
import { positionAfter } from '../store/newest-first';
import { provenanceView, sbomRecord } from './views';

export interface ReadCatalogDeps {
  projects: ProjectStore;
  services: ServiceStore;
  sboms: SbomStore;
  deletions: DeletionStore;
}

/** Without its service an SBOM does not exist. @throws AppError `sbom_not_found` */
export async function readSbom(deps: ReadCatalogDeps, sbomId: string): Promise<SbomRecord> {
  const found = await deps.sboms.withService(sbomId);
  if (!found) throw new AppError('sbom_not_found');
  return sbomRecord(found.sbom, found.service);
}

/** @throws AppError `project_not_found` */
export async function readHistory(
  deps: ReadCatalogDeps,
  input: {
    project_id: string;
    service_id?: string | undefined;
    page: number;
    per_page: number;
    after?: ListCursor | null | undefined;
  },
): Promise<PartOf<HistoryItem>> {
  if (!(await deps.projects.byId(input.project_id))) throw new AppError('project_not_found');
  const deleted = await deps.deletions.servicesOf(input.project_id);
  const { project_id, service_id, after } = input;
  const part = { ...pageWindow(input), service_id, after };
  const [items, total] = await Promise.all([
    deps.sboms.history(project_id, part, deleted),
    deps.services.countOf(project_id, service_id),
  ]);
  const services = await deps.services.namesOf([...new Set(items.map((sbom) => sbom.service_id))]);
  const nameOf = new Map(services.map(({ _id, name }) => [_id, name]));
  return {
    total,
    next: positionAfter(items, part),
    items: items.map((sbom) => ({
      id: sbom._id,
      service_id: sbom.service_id,
      service_name: nameOf.get(sbom.service_id) ?? null,
      ...provenanceView(sbom),
      seq: sbom.seq,
      scan_status: sbom.scan_status,
      digest: sbom.digest ?? null,
      version: sbom.version,
      format: sbom.format,
      dependency_count: sbom.dependency_count,
      created_at: sbom.created_at.toISOString(),
      retained: sbom.expired === undefined,
    })),
  };
}

/**
 * Names of services and their projects; deleted ones are omitted.
 *
 * @param expected the projects that are read together with the services; others are read afterwards
 */
export async function readServiceNames(
  deps: ReadCatalogDeps,
  serviceIds: string[],
  expected: string[] = [],
): Promise<ServiceNames[]> {
  const [services, projects] = await Promise.all([
    deps.services.namesOf([...new Set(serviceIds)]),
    deps.projects.namesOf([...new Set(expected)]),
  ]);
  const requested = new Set(expected);
  const missing = services.map(({ project_id }) => project_id).filter((id) => !requested.has(id));
  const others = await deps.projects.namesOf([...new Set(missing)]);
  const named = new Map([...projects, ...others].map((project) => [project._id, project]));
  return services.flatMap((service): ServiceNames[] => {
    const project = named.get(service.project_id);
    if (project === undefined) return [];
    const { name: project_name, slug: project_slug, service_levels, ships_products } = project;
    const { _id: service_id, project_id, name: service_name } = service;
    const names = { service_id, project_id, project_name, project_slug, service_name };
    const { owner, labels } = effectiveOwnership(service, project);
    return [
      {
        ...names,
        ...(owner !== undefined && { owner }),
        ...(labels && { labels }),
        ...(service_levels && { service_levels }),
        ...(ships_products && { ships_products }),
      },
    ];
  });
}

/** @throws AppError `project_not_found`, `service_not_found` */
export async function checkScopeExists(
  deps: ReadCatalogDeps,
  scope: { project_id: string; service_id: string | null },
): Promise<{ service_id: string | null }> {
  if (!(await deps.projects.byId(scope.project_id))) throw new AppError('project_not_found');
  if (scope.service_id === null) return { service_id: null };
  const service = await deps.services.byId(scope.service_id);
  if (!service || service.name === null || service.project_id !== scope.project_id) {
    throw new AppError('service_not_found');
  }
  return { service_id: service._id };
}
