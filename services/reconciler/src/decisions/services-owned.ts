import { everyOwnedService, findOwnedServices, type RuleFilter } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';

/** Whether a rule follows the owners and labels of services (DC9). */
export function isByOwner({ owner, label }: RuleFilter): boolean {
  return owner !== undefined || label !== undefined;
}

/**
 * The services that such a rule applies to now, in order.
 *
 * @throws AppError `service_unavailable`
 */
export async function servicesOwned(
  request: Request,
  { project_id, filter }: { project_id: string; filter: RuleFilter },
): Promise<string[]> {
  const { owner, label, service_ids: named } = filter;
  const owned = await everyOwnedService(
    async (query) => (await request(findOwnedServices, query)).body,
    { project_id, ...(owner !== undefined && { owner }), ...(label && { labels: label }) },
  );
  return [...owned].filter((id) => named?.includes(id) ?? true).sort();
}
