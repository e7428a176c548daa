import { deadLetterSubjectOf } from '@bomtrail/messages';
import { deadLetterHeaders, type BusConnection } from '@bomtrail/messaging';

/** Stores a dead letter as if `consumer` had given up a message after eight attempts; returns its id. */
export async function layDeadLetter(
  { jetstream }: Pick<BusConnection, 'jetstream'>,
  {
    consumer,
    subject,
    body,
    reason = 'broken',
  }: { consumer: string; subject: string; body: Uint8Array; reason?: string },
): Promise<number> {
  const headers = deadLetterHeaders({ reason, subject, attempts: 8 });
  return (await jetstream.publish(deadLetterSubjectOf(consumer), body, { headers })).seq;
}
