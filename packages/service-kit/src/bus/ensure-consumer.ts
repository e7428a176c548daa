import type { ConsumerDefinition } from '@bomtrail/messages';
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import { isMissing } from './streams';
import { nanosPerSecond } from './time';

/** Without a sign of life for this long a message is delivered again; `working()` is sent in time. */
const ackWaitSeconds = 20;
/** Of all processes together; below it each of fifty may hold as many as it may. */
const mostUnsettled = 16_384;

/**
 * Creates the consumer, and its stream, or brings the one that is there to today's definition: it goes
 * on where it is.
 */
export async function ensureConsumer(
  bus: BusConnection,
  consumer: ConsumerDefinition<unknown>,
): Promise<void> {
  const { stream } = consumer.message;
  const settings = {
    filter_subject: consumer.filterSubject,
    ack_wait: ackWaitSeconds * nanosPerSecond,
    // The handler counts attempts itself, so that the last one ends in the dead-letter stream.
    max_deliver: -1,
    max_ack_pending: mostUnsettled,
    // Beside an acknowledgement wait it would be that one that counts.
    backoff: [],
  };
  try {
    await bus.manager.consumers.update(stream, consumer.durable, settings);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await bus.ensureStream(stream);
    await bus.manager.consumers.add(stream, {
      ...settings,
      durable_name: consumer.durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
  }
}
