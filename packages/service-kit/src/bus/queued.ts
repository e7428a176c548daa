import type { ConsumerDefinition } from '@bomtrail/messages';
import type { BusConnection } from './connect';
import { isMissing } from './streams';

/**
 * How many messages wait in the queue of a consumer and were not taken by anybody yet; 0 where there
 * is no such queue (any more).
 */
export type Queued = <Payload>(consumer: ConsumerDefinition<Payload>) => Promise<number>;

export function createQueued(bus: BusConnection): Queued {
  return async ({ message, durable }) => {
    try {
      return (await bus.manager.consumers.info(message.stream, durable)).num_pending;
    } catch (error) {
      if (isMissing(error)) return 0;
      throw error;
    }
  };
}
