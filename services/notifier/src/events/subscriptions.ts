import { notifierChanges } from '@bomtrail/messages';
import { consumes, type EventTransport } from '@bomtrail/messaging';
import { Counter, type Registry } from 'prom-client';

/** Counts changes of tracked vulnerabilities. */
export function notifierSubscriptions(registry: Registry): EventTransport[] {
  const changes = new Counter({
    name: 'bomtrail_notifier_changes_total',
    help: 'Received changes of tracked vulnerabilities',
    registers: [registry],
  });
  return [consumes(notifierChanges, { handle: async () => changes.inc() })];
}
