import { streams, type ConsumerDefinition, type StreamName } from '@bomtrail/messages';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  type ConsumerConfig,
} from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import { isMissing } from './streams';
import { nanosPerSecond } from './time';

/** Without a sign of life for this long a message is delivered again; `working()` is sent in time. */
const ackWaitSeconds = 20;
/** Of all processes together; below it each of fifty may hold as many as it may. */
const mostUnsettled = 16_384;

/**
 * A new consumer of events does not begin with those of three days: nearly all of them are done, and what
 * is not is found by the sweeps. Within this time it may have been asked for by none of them yet.
 */
const lookBackMs = 3_600_000;

/**
 * Creates the consumer, and its stream, or brings the one that is there to today's definition: it goes
 * on where it is.
 *
 * @param now what the look back counts from
 */
export async function ensureConsumer(
  bus: BusConnection,
  consumer: ConsumerDefinition<unknown>,
  now = new Date(),
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
  const update = (): Promise<unknown> =>
    bus.manager.consumers.update(stream, consumer.durable, settings);
  try {
    await update();
    return;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await bus.ensureStream(stream);
  try {
    await bus.manager.consumers.add(stream, {
      ...settings,
      durable_name: consumer.durable,
      ack_policy: AckPolicy.Explicit,
      ...beginning(stream, now),
    });
  } catch (error) {
    if (!isThere(error)) throw error;
    await update();
  }
}

/** Server code of a consumer that is there with another definition: JSConsumerAlreadyExists. */
const alreadyExists = 10148;

/** Another process has just made it, an instant earlier. */
function isThere(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === alreadyExists;
}

/** All of a work queue, which holds nothing that is done. The server lets nobody change it afterwards. */
function beginning(stream: StreamName, now: Date): Partial<ConsumerConfig> {
  const { retention } = streams.find(({ name }) => name === stream) ?? {};
  if (retention === 'workqueue') return { deliver_policy: DeliverPolicy.All };
  const opt_start_time = new Date(now.getTime() - lookBackMs).toISOString();
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time };
}
