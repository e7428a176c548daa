import type { Composition, Kit } from '@bomtrail/service-kit';
import { notifierSubscriptions } from './events/subscriptions';

/** Builds the notifier from what the kit gives. */
export function compose(kit: Kit): Composition {
  return { events: notifierSubscriptions(kit.registry) };
}
