import { deadLetterSubjectOf, type ConsumerDefinition } from '@bomtrail/messages';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import { outgoingHeaders } from './headers';
import { storeMessage } from './store-message';

/** Headers of a dead letter. Its body is that of the message; its subject ends with the consumer's name. */
export const letterHeaders = {
  reason: 'Bomtrail-Reason',
  subject: 'Bomtrail-Subject',
  attempts: 'Bomtrail-Attempts',
} as const;

const reasonLength = 500;

/** Copies a message to the dead-letter stream, then terminates it. */
export async function deadLetter(
  bus: BusConnection,
  dead: { consumer: ConsumerDefinition<unknown>; message: JsMsg; reason: string },
): Promise<void> {
  const { message, reason } = dead;
  const { durable } = dead.consumer;
  const { stream, streamSequence, timestampNanos, deliveryCount } = message.info;
  const headers = outgoingHeaders();
  // Header values must not contain line breaks.
  headers.set(letterHeaders.reason, reason.replace(/\s+/g, ' ').slice(0, reasonLength));
  headers.set(letterHeaders.subject, message.subject);
  headers.set(letterHeaders.attempts, String(deliveryCount));
  const letter = await storeMessage(bus, {
    stream: 'DEAD',
    subject: deadLetterSubjectOf(durable),
    body: message.data,
    // A recreated stream numbers from 1 again; the timestamp keeps the ids unique.
    options: { msgID: `${durable}:${stream}:${streamSequence}:${timestampNanos}`, headers },
  });
  message.term(reason.slice(0, 200));
  if (letter.duplicate) return;
  bus.metrics.deadLetters.inc({ consumer: durable });
  bus.log.error(
    { consumer: durable, subject: message.subject, attempts: deliveryCount, reason },
    `A message was dead-lettered; "npm run dead-letters -- show ${letter.seq}" prints it.`,
  );
}
