import { AppError, type ConsumerDefinition } from '@bomtrail/messages';
import type { Semaphore } from 'async-mutex';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import { decodeFrame } from './frame';
import { inContextOf, outgoingHeaders } from './headers';
import { retryOf } from './passing';

/** What a consumer does with its messages. */
export interface MessageHandler<Payload> {
  /** Idempotent by the message's natural key; the message is acknowledged when this resolves. */
  handle(payload: Payload): Promise<void>;
  /** Called once a message is given up, before it is laid among the dead letters. */
  giveUp?(payload: Payload, reason: string): Promise<void>;
}

const heartbeatMs = 5_000;
/** A message that waits while its process stops is for another one, soon. */
const handOverMs = 100;
/** Milliseconds before the next delivery, by the number of deliveries so far. */
const backOffMs = [200, 1_000, 3_000, 10_000, 30_000];

/** A consumer at work: its messages wait for a slot, with signs of life from the moment they came. */
export interface WorkingDoor {
  readonly consumer: ConsumerDefinition<unknown>;
  readonly handler: MessageHandler<unknown>;
  readonly slots: Semaphore;
  isStopping(): boolean;
}

/**
 * Takes one message to one of its ends: done (ack), later (nak with back-off, in the end left to the
 * sweep that knows of it), or dead (terminated after a copy with its reason went to the dead-letter
 * stream). Never rejects.
 */
export async function handleMessage(
  bus: BusConnection,
  door: WorkingDoor,
  message: JsMsg,
): Promise<void> {
  const heartbeat = setInterval(() => message.working(), heartbeatMs);
  try {
    await door.slots.runExclusive(async () => {
      if (door.isStopping()) message.nak(handOverMs);
      else await inContextOf(message.headers, () => handleOne(bus, door, message));
    });
  } catch (error) {
    bus.log.error(
      { err: error, consumer: door.consumer.durable },
      'A message could not be settled.',
    );
  } finally {
    clearInterval(heartbeat);
  }
}

async function handleOne(bus: BusConnection, door: WorkingDoor, message: JsMsg): Promise<void> {
  const { consumer, handler } = door;
  let payload: unknown;
  try {
    payload = consumer.message.payload.parse(decodeFrame(message.data).json);
  } catch (error) {
    await bury(bus, {
      consumer,
      message,
      reason: `cannot be decoded: ${(error as Error).message}`,
    });
    return;
  }
  const attempts = message.info.deliveryCount;
  try {
    if (attempts > consumer.maxAttempts)
      throw new AppError('internal_error', 'The process ended while it handled this message.');
    await handler.handle(payload);
    message.ack();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const retry = retryOf(error);
    const log = { err: error, consumer: consumer.durable, attempts };
    if (retry !== 'never' && attempts < consumer.maxAttempts) {
      bus.log.warn(log, 'A message failed; it is tried again.');
      message.nak(backOffMs[Math.min(attempts, backOffMs.length) - 1] ?? 200);
      return;
    }
    if (retry === 'again') {
      bus.log.warn(
        log,
        `What a message needs is away; ${consumer.message.sweptBy} sends it again.`,
      );
      message.term('left to the sweep');
      return;
    }
    await handler.giveUp?.(payload, reason);
    await bury(bus, { consumer, message, reason });
  }
}

async function bury(
  bus: BusConnection,
  dead: { consumer: ConsumerDefinition<unknown>; message: JsMsg; reason: string },
): Promise<void> {
  const { consumer, message, reason } = dead;
  const outgoing = outgoingHeaders();
  // Header values hold no line breaks.
  outgoing.set('Bomtrail-Reason', reason.replace(/\s+/g, ' ').slice(0, 500));
  outgoing.set('Bomtrail-Subject', message.subject);
  outgoing.set('Bomtrail-Attempts', String(message.info.deliveryCount));
  await bus.jetstream.publish(`dead.${consumer.durable}`, message.data, {
    msgID: `${consumer.durable}:${message.info.stream}:${message.info.streamSequence}`,
    headers: outgoing,
  });
  message.term(reason.slice(0, 200));
  bus.log.error(
    { consumer: consumer.durable, subject: message.subject, reason },
    'A message was given up: see the dead letters.',
  );
}
