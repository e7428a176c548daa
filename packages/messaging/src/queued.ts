import type { ConsumerDefinition } from '@bomtrail/messages';
import type { BusConnection } from './connect';
import { isMissing } from './streams';

/** Returns the number of undelivered messages of a consumer; 0 if the consumer does not exist. */
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
