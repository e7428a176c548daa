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

/** A message without `ack` or `working()` for this long is delivered again. */
const ackWaitSeconds = 20;
/** Over all processes: enough for fifty of them. */
const maxAckPending = 16_384;

/**
 * A new consumer of an event stream starts this far back, not at the oldest event of three days: sweeps repeat
 * anything older that is unfinished.
 */
const lookBackMs = 3_600_000;

/**
 * Creates the consumer and its stream if missing, otherwise updates the consumer; it keeps its position.
 *
 * @param now time from which the start of a new consumer is computed
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
    // The handler counts attempts itself and dead-letters after the last one.
    max_deliver: -1,
    max_ack_pending: maxAckPending,
    // A backoff would override `ack_wait`.
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
      ...startPosition(stream, now),
    });
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
    await update();
  }
}

/** Server code JSConsumerAlreadyExists: the consumer exists with another definition. */
const alreadyExists = 10148;

/** True if another process has just created the consumer. */
function isAlreadyThere(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === alreadyExists;
}

/** Start position: all of a work queue, `lookBackMs` of an event stream. The server allows no later change. */
function startPosition(stream: StreamName, now: Date): Partial<ConsumerConfig> {
  const { retention } = streams.find(({ name }) => name === stream) ?? {};
  if (retention === 'workqueue') return { deliver_policy: DeliverPolicy.All };
  const opt_start_time = new Date(now.getTime() - lookBackMs).toISOString();
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time };
}
