import { alertChannels } from '@bomtrail/messages';
import { watchValue } from '@bomtrail/service-runtime';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { AlertRuleStore } from './ports';

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of the notifier. Dashboards and alert rules depend on the names. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ['channel'] as const;
  const metrics = {
    sent: new Counter({
      name: 'bomtrail_alerts_sent_total',
      help: 'Alerts sent',
      labelNames,
      registers,
    }),
    failed: new Counter({
      name: 'bomtrail_alerts_failed_total',
      help: 'Failed attempts to send an alert; retried unless given up',
      labelNames,
      registers,
    }),
    suppressed: new Counter({
      name: 'bomtrail_alerts_suppressed_total',
      help: 'Alerts not sent, by reason: channel not configured (counted at each check), or given up after a day of failures',
      labelNames: ['channel', 'reason'] as const,
      registers,
    }),
    notified: new Counter({
      name: 'bomtrail_alert_periods_notified_total',
      help: 'Vulnerabilities reported by alerts',
      labelNames,
      registers,
    }),
    checks: new Counter({
      name: 'bomtrail_alert_checks_total',
      help: 'Checks of a rule by result; `failed`: channel failure; `waiting`: quiet hours or before a digest; `error`: failure of another service or the database',
      labelNames: ['result'] as const,
      registers,
    }),
    lastCheck: new Gauge({
      name: 'bomtrail_alert_last_check_timestamp_seconds',
      help: 'Start of the last check of all rules by this process; 0: another process checks',
      registers,
    }),
  };
  metrics.checks.inc({ result: 'error' }, 0);
  for (const channel of alertChannels) {
    metrics.sent.inc({ channel }, 0);
    metrics.failed.inc({ channel }, 0);
    metrics.notified.inc({ channel }, 0);
    for (const reason of ['not_configured', 'given_up'] as const)
      metrics.suppressed.inc({ channel, reason }, 0);
  }
  return metrics;
}

/** Age of the oldest undelivered alert, read at each scrape. */
export function watchUndelivered(
  registry: Registry,
  rules: Pick<AlertRuleStore, 'oldestUndelivered'>,
): void {
  watchValue(
    registry,
    {
      name: 'bomtrail_alert_oldest_undelivered_seconds',
      help: 'Age of the oldest undelivered alert; 0: none',
      labelNames: ['channel'],
    },
    async () => {
      const oldest = await rules.oldestUndelivered();
      return alertChannels.map((channel) => {
        const since = oldest.get(channel)?.getTime() ?? Date.now();
        return { labels: { channel }, value: Math.max(0, Date.now() - since) / 1000 };
      });
    },
  );
}
