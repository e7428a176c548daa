import type { ConsumerDefinition } from '@bomtrail/messages';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { BusConnection } from './connect';

/**
 * How many messages wait in the queue of a consumer and were not taken by anybody yet; 0 where there
 * is no such queue (any more).
 */
export type Queued = <Payload>(consumer: ConsumerDefinition<Payload>) => Promise<number>;

/** JetStream answers these codes when a consumer or its stream does not exist. */
const notFound: ReadonlySet<number> = new Set([10014, 10059]);

export function createQueued(bus: BusConnection): Queued {
  return async ({ message, durable }) => {
    try {
      return (await bus.manager.consumers.info(message.stream, durable)).num_pending;
    } catch (error) {
      if (error instanceof JetStreamApiError && notFound.has(error.code)) return 0;
      throw error;
    }
  };
}
