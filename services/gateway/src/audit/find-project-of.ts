import { getSbom, nameServices } from '@bomtrail/messages';
import { withTimeout } from '@bomtrail/concurrency';
import type { Request } from '@bomtrail/messaging';
import type { Resources } from './domain/audit-entry';

/** Short, because the result is only for the audit entry. */
const patienceMs = 1_000;

/** The project of an SBOM, or else of a service; null if the catalog does not respond in time. */
export async function findProjectOf(
  deps: { request: Request },
  { sbom_id, service_id }: Resources,
): Promise<string | null> {
  const requested = sbom_id ? projectOfSbom(deps, sbom_id) : projectOfService(deps, service_id);
  return withTimeout(requested, patienceMs).catch(() => null);
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
