import { deadLetterSubjectOf, type ConsumerDefinition } from '@bomtrail/messages';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import { outgoingHeaders } from './headers';
import { put } from './put';

/** Headers of a dead letter; its body is the message's own, and the subject ends with the consumer. */
export const letterHeaders = {
  reason: 'Bomtrail-Reason',
  subject: 'Bomtrail-Subject',
  attempts: 'Bomtrail-Attempts',
} as const;

const reasonLength = 500;

/** Lays a copy of a message among the dead letters, then ends the message. */
export async function deadLetter(
  bus: BusConnection,
  dead: { consumer: ConsumerDefinition<unknown>; message: JsMsg; reason: string },
): Promise<void> {
  const { message, reason } = dead;
  const { durable } = dead.consumer;
  const { stream, streamSequence, timestampNanos, deliveryCount } = message.info;
  const headers = outgoingHeaders();
  // Header values hold no line breaks.
  headers.set(letterHeaders.reason, reason.replace(/\s+/g, ' ').slice(0, reasonLength));
  headers.set(letterHeaders.subject, message.subject);
  headers.set(letterHeaders.attempts, String(deliveryCount));
  const letter = await put(bus, {
    stream: 'DEAD',
    subject: deadLetterSubjectOf(durable),
    body: message.data,
    // A stream that was lost counts from 1 again: the time tells its messages from the earlier ones.
    options: { msgID: `${durable}:${stream}:${streamSequence}:${timestampNanos}`, headers },
  });
  message.term(reason.slice(0, 200));
  if (letter.duplicate) return;
  bus.metrics.deadLetters.inc({ consumer: durable });
  bus.log.error(
    { consumer: durable, subject: message.subject, attempts: deliveryCount, reason },
    `A message was given up; "npm run dead-letters -- show ${letter.seq}" shows it.`,
  );
}
