import { deadLetterSubjectOf, type ConsumerDefinition } from '@bomtrail/messages';
import type { JsMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
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

/** Headers of the dead letter of a message. @param of.attempts deliveries, from 1 on */
export function deadLetterHeaders(of: {
  reason: string;
  subject: string;
  attempts: number;
}): MsgHdrs {
  const headers = outgoingHeaders();
  // Header values must not contain line breaks.
  headers.set(letterHeaders.reason, of.reason.replace(/\s+/g, ' ').slice(0, reasonLength));
  headers.set(letterHeaders.subject, of.subject);
  headers.set(letterHeaders.attempts, String(of.attempts));
  return headers;
}

/** Copies a message to the dead-letter stream, then terminates it. */
export async function deadLetter(
  bus: BusConnection,
  dead: { consumer: ConsumerDefinition<unknown>; message: JsMsg; reason: string },
): Promise<void> {
  const { message, reason } = dead;
  const { durable } = dead.consumer;
  const { stream, streamSequence, timestampNanos, deliveryCount } = message.info;
  const { subject } = message;
  const headers = deadLetterHeaders({ reason, subject, attempts: deliveryCount });
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
    { consumer: durable, subject, attempts: deliveryCount, reason },
    `A message was dead-lettered; "npm run dead-letters -- show ${letter.seq}" prints it.`,
  );
}
