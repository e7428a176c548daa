import type { ServiceNames, ServiceSbom } from '@bomtrail/messages';
import { readServiceNames, type ReadCatalogDeps } from './read-catalog';

/**
 * A page of the version lines, by id. A line whose project is being deleted has no names any more and
 * is left out, so that a page may be shorter than `limit`; `next` is what to ask behind, null at the end.
 */
export async function listServicesById(
  deps: ReadCatalogDeps,
  asked: { project_id?: string | undefined; after: string | null; limit: number },
): Promise<{ services: ServiceNames[]; next: string | null }> {
  const page = await deps.services.page(asked, asked.limit);
  const ids = page.map(({ _id }) => _id);
  const services = await readServiceNames(deps, ids);
  services.sort((a, b) => (a.service_id < b.service_id ? -1 : 1));
  return { services, next: page.length < asked.limit ? null : (ids.at(-1) ?? null) };
}

/** The SBOMs of a line as they are stored, behind `after_seq`, and whether the line is there. */
export async function listSbomsOfService(
  deps: ReadCatalogDeps,
  asked: { service_id: string; after_seq: number; limit: number },
): Promise<{
  service: 'active' | 'deleting' | 'unknown';
  project_id: string | null;
  sboms: ServiceSbom[];
}> {
  const { service_id } = asked;
  const sboms = await deps.sboms.ofService(service_id, asked.after_seq, asked.limit);
  const service = await deps.services.byId(service_id);
  const project = service && (await deps.projects.byId(service.project_id));
  const state = project
    ? 'active'
    : service || sboms.length > 0 || (await deps.deletions.byId(service_id))
      ? 'deleting'
      : 'unknown';
  return {
    service: state,
    project_id: service?.project_id ?? sboms[0]?.project_id ?? null,
    sboms: sboms.map((sbom) => ({
      sbom_id: sbom._id,
      seq: sbom.seq,
      digest: sbom.digest,
      created_at: sbom.created_at.toISOString(),
      scan_status: sbom.scan_status,
      rescan_pending: sbom.rescan !== undefined,
      deleting: sbom.deleted_at !== undefined,
    })),
  };
}
