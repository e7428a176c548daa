import type { RemediationView } from '@bomtrail/messages';
import { LRUCache } from 'lru-cache';

/** A whole plan, before its pages. */
export interface WholePlan {
  views: RemediationView[];
  complete: boolean;
}

type PlanCompute = () => Promise<WholePlan>;

/** Plans of one scope and version, each computed once while it is used (ADR 0073). */
export interface PlanCache {
  get(key: string, compute: PlanCompute): Promise<WholePlan>;
}

/** Advisories and risk values may change meanwhile without a change of any service. */
const planMs = 60_000;
/** Of all plans together; a plan of 100,000 open vulnerabilities has about that many. */
const maxServiceUses = 300_000;

/** @param ttl milliseconds */
export function createPlanCache(ttl = planMs): PlanCache {
  const plans = new LRUCache<string, WholePlan, PlanCompute>({
    ttl,
    maxSize: maxServiceUses,
    sizeCalculation: ({ views }) =>
      views.reduce((sum, { services, closes }) => sum + services.length + closes.ids.length, 1),
    fetchMethod: (_key, _stale, { context }) => context(),
    // A plan that is displaced while it is computed is complete nevertheless.
    ignoreFetchAbort: true,
  });
  return { get: (key, compute) => plans.forceFetch(key, { context: compute }) };
}
