import { notifierChanges } from '@bomtrail/messages';
import { consumes, type EventTransport } from '@bomtrail/service-kit';
import { Counter, type Registry } from 'prom-client';

/** What the notifier hears of others: that the rows of a version line changed. */
export function notifierSubscriptions(registry: Registry): EventTransport[] {
  const changes = new Counter({
    name: 'bomtrail_notifier_changes_total',
    help: 'Changes of tracked vulnerabilities that the notifier was told of',
    registers: [registry],
  });
  return [consumes(notifierChanges, { handle: async () => changes.inc() })];
}
