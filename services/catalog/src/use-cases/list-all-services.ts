import type { ServiceNames, ServiceSbom } from '@bomtrail/messages';
import { contentOf } from './views';
import { readServiceNames, type ReadCatalogDeps } from './read-catalog';

/**
 * A page of services by id. Services of projects being deleted have no names and are omitted, so
 * that a page may be shorter than `limit`; `next` is the `after` of the next page, null at the end.
 */
export async function listServicesById(
  deps: ReadCatalogDeps,
  requested: { project_id?: string | undefined; after: string | null; limit: number },
): Promise<{ services: ServiceNames[]; next: string | null }> {
  const page = await deps.services.page(requested, requested.limit);
  const ids = page.map(({ _id }) => _id);
  const services = await readServiceNames(deps, ids);
  services.sort((a, b) => (a.service_id < b.service_id ? -1 : 1));
  return { services, next: page.length < requested.limit ? null : (ids.at(-1) ?? null) };
}

/** The SBOMs of a service after `after_seq`, and the state of the service. */
export async function listSbomsOfService(
  deps: ReadCatalogDeps,
  requested: { service_id: string; after_seq: number; limit: number },
): Promise<{
  service: 'active' | 'deleting' | 'unknown';
  project_id: string | null;
  sboms: ServiceSbom[];
}> {
  const { service_id } = requested;
  const sboms = await deps.sboms.ofService(service_id, requested.after_seq, requested.limit);
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
      digest: contentOf(sbom).digest,
      created_at: sbom.created_at.toISOString(),
      scan_status: sbom.scan_status,
      rescan_pending: sbom.rescan !== undefined,
      deleting: sbom.deleted_at !== undefined,
      ...(sbom.expired && { expired: true as const }),
    })),
  };
}
