import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { vulnerabilitiesKey } from '../findings/findings-queries';

/** State and age of the advisory and risk data. */
export function feedsState() {
  return queryOptions({
    queryKey: ['feeds'],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/advisories/feeds', { signal })),
    refetchInterval: 60_000,
  });
}

const urgentCount = 8;

/** What to look at first: the open findings of the highest risk. */
export function mostUrgent() {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'urgent'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/vulnerabilities', {
          params: { query: { status: 'open', sort: 'risk', order: 'desc', per_page: urgentCount } },
          signal,
        }),
      ),
  });
}

export function readiness() {
  return queryOptions({
    queryKey: ['readiness'],
    queryFn: async ({ signal }): Promise<Schemas['ReadinessResponse']> => {
      const { data, error } = await api.GET('/readyz', { signal });
      // A 503 has the same shape: it says what is down.
      return (data ?? error) as Schemas['ReadinessResponse'];
    },
    refetchInterval: 60_000,
  });
}
