import { AppError, type ConsumerDefinition } from '@bomtrail/messages';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import type { FairSlots } from '../work/fair-slots';
import type { SpanStart } from '../traces/span';
import { stopwatch, type MessageEnd } from './bus-metrics';
import { deadLetter } from './dead-letter';
import { decodeFrame } from './frame';
import { inContextOf } from './headers';
import { retryOf } from './passing';

/** What a consumer does with its messages. */
export interface MessageHandler<Payload> {
  /** Idempotent by the message's natural key; the message is acknowledged when this resolves. */
  handle(payload: Payload): Promise<void>;
  /**
   * Called once a message is given up, before it is laid among the dead letters.
   *
   * @param reason in words that anybody may read: what is internal stands in the letter only
   */
  giveUp?(payload: Payload, reason: string): Promise<void>;
}

const nanosPerMs = 1_000_000;
const heartbeatMs = 5_000;
/** A message that waits while its process stops is for another one, soon. */
const handOverMs = 100;
/**
 * Deliveries count also where a process died with the message, or only waited with it: it is tried some
 * times more than `maxAttempts` before it is given up unheard.
 */
const deliveriesPerAttempt = 3;
/** Milliseconds before the next delivery, by the number of deliveries so far. */
const backOffMs = [200, 1_000, 3_000, 10_000, 30_000];
/**
 * By so much of it a delivery comes earlier or later: what shared a write with a message that breaks it
 * does not meet it again.
 */
const spread = 0.25;

/** A consumer at work: its messages wait for a slot, with signs of life from the moment they came. */
export interface WorkingTransport {
  readonly consumer: ConsumerDefinition<unknown>;
  readonly handler: MessageHandler<unknown>;
  readonly inSlot: FairSlots;
  isStopping(): boolean;
}

/**
 * Takes one message to one of its ends: done (ack), later (nak with back-off, in the end left to the
 * sweep that knows of it), or dead (terminated after a copy with its reason went to the dead-letter
 * stream). Never rejects.
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
      'A message could not be settled.',
    );
  } finally {
    clearInterval(heartbeat);
  }
}

/** In the context that the message came with. */
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

/** What was not begun goes to another process; where that would be one delivery too many, to the sweep. */
function handOver({ consumer }: WorkingTransport, message: JsMsg): void {
  if (message.info.deliveryCount < consumer.maxAttempts) message.nak(handOverMs);
  else message.term('left to the sweep');
}

/** What a message says, or why that cannot be read. */
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
): Promise<MessageEnd> {
  const { consumer, handler } = transport;
  if ('unreadable' in content) {
    await deadLetter(bus, { consumer, message, reason: content.unreadable });
    return 'given_up';
  }
  const { payload } = content;
  const attempts = message.info.deliveryCount;
  try {
    if (attempts > deliveriesPerAttempt * consumer.maxAttempts)
      throw new AppError(
        'internal_error',
        `It was taken up ${attempts - 1} times and came to no end.`,
      );
    await handler.handle(payload);
    await bus.passing?.('handled', consumer.durable);
    message.ack();
    return 'done';
  } catch (error) {
    const retry = retryOf(error);
    const log = { err: error, consumer: consumer.durable, attempts };
    if (retry !== 'never' && attempts < consumer.maxAttempts) {
      bus.log.warn(log, 'A message failed; it is tried again.');
      message.nak(pauseAfter(attempts));
      return 'again';
    }
    if (retry === 'again') {
      bus.log.warn(
        log,
        `What a message needs is away; ${consumer.message.sweptBy} sends it again.`,
      );
      message.term('left to the sweep');
      return 'left_to_sweep';
    }
    const reason = error instanceof Error ? error.message : String(error);
    const told = error instanceof AppError ? reason : 'An internal error stopped it.';
    await tellGivenUp(bus, transport, () => handler.giveUp?.(payload, told));
    await deadLetter(bus, { consumer, message, reason });
    return 'given_up';
  }
}

/** Whoever cannot be told, ever, keeps no message from the dead letters. */
async function tellGivenUp(
  bus: BusConnection,
  { consumer }: WorkingTransport,
  giveUp: () => Promise<void> | undefined,
): Promise<void> {
  try {
    await giveUp();
  } catch (error) {
    if (retryOf(error) === 'again') throw error;
    bus.log.error(
      { err: error, consumer: consumer.durable },
      'Nobody could be told that a message is given up.',
    );
  }
}

function pauseAfter(attempts: number): number {
  const pause = backOffMs[Math.min(attempts, backOffMs.length) - 1] ?? 0;
  return Math.round(pause * (1 - spread + 2 * spread * Math.random()));
}
