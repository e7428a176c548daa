import type { SbomDocument } from '../store/documents';
import type { ServiceStore } from '../store/service-store';

/** Without the records whose line was deleted, with its project or alone: they only wait to be purged. */
export async function ofExistingServices(
  deps: { services: ServiceStore },
  sboms: readonly SbomDocument[],
): Promise<SbomDocument[]> {
  if (sboms.length === 0) return [];
  const living = await deps.services.thatExist([
    ...new Set(sboms.map(({ service_id }) => service_id)),
  ]);
  return sboms.filter(({ service_id }) => living.has(service_id));
}
