import { getSbom, nameServices } from '@bomtrail/messages';
import { withTimeout, type Request } from '@bomtrail/service-kit';
import type { Resources } from '../domain/audit-entry';

/** Nobody waits longer for a note in the margin. */
const patienceMs = 1_000;

/** The project that an SBOM, or else a service, belongs to; null when the catalog does not say so soon. */
export async function findProjectOf(
  deps: { request: Request },
  { sbom_id, service_id }: Resources,
): Promise<string | null> {
  const asked = sbom_id ? projectOfSbom(deps, sbom_id) : projectOfService(deps, service_id);
  return withTimeout(asked, patienceMs).catch(() => null);
}

async function projectOfSbom(deps: { request: Request }, sbomId: string): Promise<string> {
  return (await deps.request(getSbom, { sbom_id: sbomId })).body.project_id;
}

async function projectOfService(
  deps: { request: Request },
  serviceId: string | undefined,
): Promise<string | null> {
  if (serviceId === undefined) return null;
  const { body } = await deps.request(nameServices, { service_ids: [serviceId] });
  return body[0]?.project_id ?? null;
}
