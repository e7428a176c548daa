import type { RemediationView } from '@bomtrail/messages';
import { LRUCache } from 'lru-cache';

/** A whole plan, before its pages. */
export interface WholePlan {
  views: RemediationView[];
  complete: boolean;
}

/** Plans of one scope and version, each computed once while it is used (ADR 0073). */
export interface PlanCache {
  get(key: string, compute: () => Promise<WholePlan>): Promise<WholePlan>;
}

/** Advisories and risk values may change meanwhile without a change of any service. */
const planMs = 60_000;
/** Of all plans together; a plan of 100,000 open vulnerabilities has about that many. */
const maxServiceUses = 300_000;

/** @param ttl milliseconds */
export function createPlanCache(ttl = planMs): PlanCache {
  const plans = new LRUCache<string, WholePlan>({
    ttl,
    maxSize: maxServiceUses,
    sizeCalculation: ({ views }) =>
      views.reduce((sum, { services, closes }) => sum + services.length + closes.ids.length, 1),
  });
  const running = new Map<string, Promise<WholePlan>>();
  return {
    get(key, compute) {
      const known = plans.get(key);
      if (known) return Promise.resolve(known);
      const begun = running.get(key);
      if (begun) return begun;
      const plan = compute()
        .then((found) => {
          plans.set(key, found);
          return found;
        })
        .finally(() => running.delete(key));
      running.set(key, plan);
      return plan;
    },
  };
}
