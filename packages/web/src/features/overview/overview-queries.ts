import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { vulnerabilitiesKey, type Finding } from '../findings/findings-queries';
import { firstOfEach } from './urgent-lines';

/** State and age of the advisory and risk data. */
export function feedsState() {
  return queryOptions({
    queryKey: ['feeds'],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/advisories/feeds', { signal })),
    refetchInterval: 60_000,
  });
}

const urgentCount = 8;
/** Findings among which there are usually as many vulnerabilities as are shown. */
const readAtFirst = 100;

/** What to look at first: the open vulnerabilities of the highest risk, each by its most risky finding. */
export function mostUrgent() {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'urgent'],
    queryFn: async ({ signal }) => {
      const { items, has_more, advisory_data } = await riskiest({ per_page: readAtFirst }, signal);
      const first = firstOfEach(items, urgentCount);
      return { items: first, advisory_data, areFew: first.length < urgentCount && has_more };
    },
  });
}

/** The same list to its end where these findings are of too few vulnerabilities; groups cost more than findings. */
export function wholeUrgent(first: readonly Finding[], isNeeded: boolean) {
  return queryOptions({
    // The result begins with `first`.
    queryKey: [...vulnerabilitiesKey, 'urgent', 'whole', first.map(({ id }) => id)],
    enabled: isNeeded,
    queryFn: async ({ signal }) => {
      const query = { group_by: 'vulnerability', status: 'open', per_page: urgentCount } as const;
      const groups = await bodyOf(
        api.GET('/api/v1/vulnerabilities/groups', { params: { query }, signal }),
      );
      const rows = groups.items.map(async ({ cve_id }) => {
        if (cve_id === null || first.some((one) => one.cve_id === cve_id)) return [];
        return (await riskiest({ per_page: 1, cve_id }, signal)).items;
      });
      return firstOfEach([...first, ...(await Promise.all(rows)).flat()], urgentCount);
    },
  });
}

function riskiest(of: { per_page: number; cve_id?: string }, signal: AbortSignal) {
  const query = { status: 'open', sort: 'risk', order: 'desc', count: false, ...of } as const;
  return bodyOf(api.GET('/api/v1/vulnerabilities', { params: { query }, signal }));
}

/** In how many services a vulnerability is open, one project's own SBOMs counting as one. */
export function servicesWith(cve_id: string) {
  const query = { group_by: 'service', status: 'open', cve_id, per_page: 1 } as const;
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'services', cve_id],
    queryFn: async ({ signal }) => {
      const { total } = await bodyOf(
        api.GET('/api/v1/vulnerabilities/groups', { params: { query }, signal }),
      );
      return total;
    },
  });
}

export function readiness() {
  return queryOptions({
    queryKey: ['readiness'],
    queryFn: async ({ signal }): Promise<Schemas['ReadinessResponse']> => {
      const answer = api.GET('/readyz', { signal });
      const body: unknown = await answer.then(
        ({ error }) => error,
        () => undefined,
      );
      // A 503 has the same shape: it says what is down. The errors of a proxy in front have another.
      return isReadiness(body) ? body : bodyOf(answer);
    },
    refetchInterval: 60_000,
  });
}

function isReadiness(body: unknown): body is Schemas['ReadinessResponse'] {
  return typeof body === 'object' && body !== null && 'checks' in body;
}
