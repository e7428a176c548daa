import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type Rule = Schemas['AlertRuleResponse'];
export const thresholds = ['critical', 'high', 'medium', 'low'] as const;
export const channels = ['email', 'slack', 'discord', 'teams', 'webhook', 'pagerduty'] as const;

export const alertsKey = ['alerts'] as const;

export function rulesPage(page: number) {
  return queryOptions({
    queryKey: [...alertsKey, 'rules', page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/alert-rules', { params: { query: { page, per_page: 25 } }, signal })),
  });
}

/** What a rule would send now. */
export function previewOf(alert_id: string) {
  return queryOptions({
    queryKey: [...alertsKey, 'preview', alert_id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/alert-rules/{alert_id}/preview', {
          params: { path: { alert_id } },
          signal,
        }),
      ),
  });
}

/** What a rule has sent, and what it failed to send. */
export function deliveriesOf(alert_id: string) {
  return queryOptions({
    queryKey: [...alertsKey, 'deliveries', alert_id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/alert-rules/{alert_id}/deliveries', {
          params: { path: { alert_id }, query: { per_page: 10 } },
          signal,
        }),
      ),
  });
}
