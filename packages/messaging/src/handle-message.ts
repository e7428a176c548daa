import { AppError, type ConsumerDefinition } from '@bomtrail/messages';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import type { FairSlots } from '@bomtrail/concurrency';
import type { SpanStart } from '@bomtrail/telemetry';
import { stopwatch, type MessageOutcome } from './bus-metrics';
import { deadLetter } from './dead-letter';
import { decodeFrame } from './frame';
import { inContextOf } from './headers';
import { retryPolicyOf } from './transient-errors';

/** Handles the messages of a consumer. */
export interface MessageHandler<Payload> {
  /** Idempotent by the message's natural key; the message is acknowledged when this resolves. */
  handle(payload: Payload): Promise<void>;
  /**
   * Called before a message is dead-lettered.
   *
   * @param reason for users; internal details are in the dead letter only
   */
  giveUp?(payload: Payload, reason: string): Promise<void>;
}

const nanosPerMs = 1_000_000;
const heartbeatMs = 5_000;
/** Redelivery delay of a message that waited for a slot when its process stopped. */
const handOverMs = 100;
/**
 * Deliveries count even if the process died or stopped before handling the message. So a message is
 * dead-lettered unhandled only after this many times `maxAttempts`.
 */
const deliveriesPerAttempt = 3;
/** Milliseconds before the next delivery, by the number of deliveries so far. */
const backOffMs = [200, 1_000, 3_000, 10_000, 30_000];
/**
 * Random share by which a delay varies: messages that failed in one shared write because of one of them are
 * not batched together again.
 */
const jitter = 0.25;

/** A running consumer. Its messages wait for a slot and send heartbeats from their arrival on. */
export interface WorkingTransport {
  readonly consumer: ConsumerDefinition<unknown>;
  readonly handler: MessageHandler<unknown>;
  readonly inSlot: FairSlots;
  isStopping(): boolean;
}

/**
 * Handles one message. Outcomes: acknowledged; redelivered with back-off; terminated and left to a sweep;
 * or dead-lettered. Never rejects.
 */
export async function handleMessage(
  bus: BusConnection,
  transport: WorkingTransport,
  message: JsMsg,
): Promise<void> {
  const heartbeat = setInterval(() => message.working(), heartbeatMs);
  const taken = { message, content: readContent(transport.consumer, message) };
  try {
    await transport.inSlot(fairnessKeyOf(transport.consumer, taken.content), async () => {
      if (transport.isStopping()) handOver(transport, message);
      else await handleMeasured(bus, transport, taken);
    });
  } catch (error) {
    bus.log.error(
      { err: error, consumer: transport.consumer.durable },
      'Failed to acknowledge or dead-letter a message.',
    );
  } finally {
    clearInterval(heartbeat);
  }
}

/** Handles a message in the trace context of its sender and records metrics. */
async function handleMeasured(
  bus: BusConnection,
  transport: WorkingTransport,
  taken: Taken,
): Promise<void> {
  const { consumer } = transport;
  const { info, headers } = taken.message;
  if (info.deliveryCount === 1) {
    const waited = Math.max(0, Date.now() - info.timestampNanos / nanosPerMs) / 1000;
    bus.metrics.waits.observe({ consumer: consumer.durable }, waited);
  }
  const elapsed = stopwatch();
  const start = (): SpanStart => ({
    name: `handle ${consumer.message.name}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'nats',
      'messaging.operation.type': 'process',
      'messaging.destination.name': consumer.message.name,
      'messaging.consumer.group.name': consumer.durable,
      'bomtrail.delivery': info.deliveryCount,
    },
  });
  await inContextOf(headers, { tracer: bus.tracer, start }, async (span) => {
    const outcome = await handleOne(bus, transport, taken);
    if (outcome !== 'done') span?.fail(outcome);
    bus.metrics.messages.observe({ consumer: consumer.durable, outcome }, elapsed());
  });
}

/** Returns an unhandled message to the queue; after too many deliveries it is left to the sweep. */
function handOver({ consumer }: WorkingTransport, message: JsMsg): void {
  if (message.info.deliveryCount < consumer.maxAttempts) message.nak(handOverMs);
  else message.term('left to the sweep');
}

/** The payload of a message, or the reason why it cannot be decoded. */
type Content = { payload: unknown } | { unreadable: string };

interface Taken {
  readonly message: JsMsg;
  readonly content: Content;
}

function readContent(consumer: ConsumerDefinition<unknown>, message: JsMsg): Content {
  try {
    return { payload: consumer.message.payload.parse(decodeFrame(message.data).json) };
  } catch (error) {
    return { unreadable: `cannot be decoded: ${(error as Error).message}` };
  }
}

function fairnessKeyOf(consumer: ConsumerDefinition<unknown>, content: Content): string {
  return 'payload' in content && consumer.fairnessKeyOf
    ? consumer.fairnessKeyOf(content.payload)
    : '';
}

async function handleOne(
  bus: BusConnection,
  transport: WorkingTransport,
  { message, content }: Taken,
): Promise<MessageOutcome> {
  const { consumer, handler } = transport;
  if ('unreadable' in content) {
    await deadLetter(bus, { consumer, message, reason: content.unreadable });
    return 'dead_lettered';
  }
  const { payload } = content;
  const attempts = message.info.deliveryCount;
  try {
    if (attempts > deliveriesPerAttempt * consumer.maxAttempts)
      throw new AppError('internal_error', `Delivered ${attempts - 1} times without a result.`);
    await handler.handle(payload);
    await bus.faultPoint?.('handled', consumer.durable);
    message.ack();
    return 'done';
  } catch (error) {
    const retry = retryPolicyOf(error);
    const log = { err: error, consumer: consumer.durable, attempts };
    if (retry !== 'never' && attempts < consumer.maxAttempts) {
      bus.log.warn(log, 'A message failed; it will be delivered again.');
      message.nak(redeliveryDelayMs(attempts));
      return 'retried';
    }
    if (retry === 'unlimited') {
      bus.log.warn(
        log,
        `A message failed because a dependency is down; ${consumer.message.sweptBy} sends it again.`,
      );
      message.term('left to the sweep');
      return 'left_to_sweep';
    }
    const reason = error instanceof Error ? error.message : String(error);
    const publicReason = error instanceof AppError ? reason : 'An internal error occurred.';
    await notifyGivenUp(bus, transport, () => handler.giveUp?.(payload, publicReason));
    await deadLetter(bus, { consumer, message, reason });
    return 'dead_lettered';
  }
}

/** Calls `giveUp`; a permanent failure of it is logged and does not prevent the dead letter. */
async function notifyGivenUp(
  bus: BusConnection,
  { consumer }: WorkingTransport,
  giveUp: () => Promise<void> | undefined,
): Promise<void> {
  try {
    await giveUp();
  } catch (error) {
    if (retryPolicyOf(error) === 'unlimited') throw error;
    bus.log.error(
      { err: error, consumer: consumer.durable },
      'Failed to report a dead-lettered message.',
    );
  }
}

function redeliveryDelayMs(attempts: number): number {
  const delay = backOffMs[Math.min(attempts, backOffMs.length) - 1] ?? 0;
  return Math.round(delay * (1 - jitter + 2 * jitter * Math.random()));
}
