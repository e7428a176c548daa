import type { SbomDocument } from '../store/documents';
import type { ServiceStore } from '../store/service-store';

/** Filters out records whose service or project was deleted: they only wait for their purge. */
export async function ofExistingServices(
  deps: { services: ServiceStore },
  sboms: readonly SbomDocument[],
): Promise<SbomDocument[]> {
  if (sboms.length === 0) return [];
  const existing = await deps.services.thatExist([
    ...new Set(sboms.map(({ service_id }) => service_id)),
  ]);
  return sboms.filter(({ service_id }) => existing.has(service_id));
}
