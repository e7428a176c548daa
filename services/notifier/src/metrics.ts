import { alertChannels } from '@bomtrail/messages';
import { watchValue } from '@bomtrail/service-kit';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { AlertRuleStore } from './store/alert-rule-store';

export type Metrics = ReturnType<typeof createMetrics>;

/** What the notifier counts. Names are part of what dashboards and alert rules read. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ['channel'] as const;
  const metrics = {
    sent: new Counter({
      name: 'bomtrail_alerts_sent_total',
      help: 'Messages that were sent',
      ...{ labelNames, registers },
    }),
    failed: new Counter({
      name: 'bomtrail_alerts_failed_total',
      help: 'Attempts to send a message that failed; each is made again, unless it is given up',
      ...{ labelNames, registers },
    }),
    suppressed: new Counter({
      name: 'bomtrail_alerts_suppressed_total',
      help: 'Messages that were not sent: the channel is not configured (at each check), or given up after a day of failures',
      labelNames: ['channel', 'reason'] as const,
      registers,
    }),
    notified: new Counter({
      name: 'bomtrail_alert_periods_notified_total',
      help: 'Vulnerabilities that messages told of',
      ...{ labelNames, registers },
    }),
    checks: new Counter({
      name: 'bomtrail_alert_checks_total',
      help: 'Looks at one rule by result; `failed`: its channel; `error`: another service or the database',
      labelNames: ['result'] as const,
      registers,
    }),
    lastCheck: new Gauge({
      name: 'bomtrail_alert_last_check_timestamp_seconds',
      help: 'When this process last began to look at all rules; 0: another process does',
      registers,
    }),
  };
  for (const channel of alertChannels) {
    metrics.sent.inc({ channel }, 0);
    metrics.failed.inc({ channel }, 0);
    metrics.notified.inc({ channel }, 0);
    for (const reason of ['not_configured', 'given_up'] as const)
      metrics.suppressed.inc({ channel, reason }, 0);
  }
  return metrics;
}

/** For how long something new waits to be told, read whenever the metrics are asked for. */
export function watchUndelivered(
  registry: Registry,
  rules: Pick<AlertRuleStore, 'oldestUndelivered'>,
): void {
  watchValue(
    registry,
    {
      name: 'bomtrail_alert_oldest_undelivered_seconds',
      help: 'Age of the oldest thing that is new to a rule and could not be told; 0: there is none',
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
