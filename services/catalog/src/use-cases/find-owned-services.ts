import { maxOwnedServices, type OwnershipFilter, type ProjectScope } from '@bomtrail/messages';
import { ownershipKeys } from '../domain/ownership';
import type { OwnedServices } from '../store/owned-services';

/** The services that a filter by owner and labels selects, unless they are too many. */
export async function findOwnedServices(
  { owned }: { owned: OwnedServices },
  { project_id, ...filter }: OwnershipFilter & { project_id?: ProjectScope | undefined },
): Promise<{ service_ids: string[]; complete: boolean }> {
  const keys = ownershipKeys(filter);
  if (!keys) return { service_ids: [], complete: true };
  const service_ids = await owned(keys, { within: project_id, most: maxOwnedServices + 1 });
  const complete = service_ids.length <= maxOwnedServices;
  return { service_ids: complete ? service_ids.sort() : [], complete };
}
