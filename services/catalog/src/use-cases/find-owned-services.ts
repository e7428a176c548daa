import { maxOwnedServices, type OwnershipFilter, type ProjectScope } from '@bomtrail/messages';
import { ownershipKeys } from '../domain/ownership';
import type { OwnedServices } from '../store/owned-services';

/** The services that a filter by owner and labels selects, unless they are too many. */
export async function findOwnedServices(
  { owned }: { owned: OwnedServices },
  {
    project_id,
    after,
    ...filter
  }: OwnershipFilter & { project_id?: ProjectScope | undefined; after?: string | null | undefined },
): Promise<{ service_ids: string[]; complete: boolean }> {
  const keys = ownershipKeys(filter);
  if (!keys) return { service_ids: [], complete: true };
  const most = maxOwnedServices + 1;
  const found = await owned(keys, { within: project_id, most, after });
  const complete = found.length < most;
  if (after !== undefined) return { service_ids: found.slice(0, maxOwnedServices), complete };
  return { service_ids: complete ? found : [], complete };
}
