import { isDeepStrictEqual } from 'node:util';
import { everyOwnedService, findOwnedServices, type RuleFilter } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { RuleStore } from './ports';

/** Keeps rules by owner and label (DC9) at the services that the catalog names. */
export interface OwnedRules {
  /**
   * Moves the rules of a project to the services that have their owner or label now. What is decided in services
   * other than the caller's follows by a sweep.
   *
   * @returns whether one moved
   * @throws AppError `service_unavailable`
   */
  follow(projectId: string): Promise<boolean>;
}

export function createOwnedRules(deps: {
  request: Request;
  rules: Pick<RuleStore, 'ownedIn' | 'moveTo'>;
}): OwnedRules {
  return {
    async follow(projectId) {
      let moved = false;
      for (const rule of await deps.rules.ownedIn(projectId)) {
        const filter = rule.rule?.filter ?? {};
        const services = await servicesOwned(deps.request, { project_id: projectId, filter });
        if (isDeepStrictEqual(services, rule.services)) continue;
        moved = (await deps.rules.moveTo(rule, services)) || moved;
      }
      return moved;
    },
  };
}

/**
 * The services that a rule by owner or label (DC9) applies to now, in order.
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
