import type { Request } from '@bomtrail/messaging';
import { isDeepStrictEqual } from 'node:util';
import type { RuleStore } from './ports';
import { servicesOwned } from './services-owned';

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
