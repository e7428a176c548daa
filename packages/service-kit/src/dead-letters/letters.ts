import { deadLetterSubjectOf } from '@bomtrail/messages';
import { JetStreamApiError, type MsgRequest, type StoredMsg } from '@nats-io/jetstream';
import type { BusConnection } from '../bus/connect';
import { letterHeaders } from '../bus/dead-letter';

/** A message that a consumer gave up. */
export interface DeadLetter {
  /** Its place among all dead letters. */
  readonly id: number;
  readonly at: Date;
  readonly consumer: string;
  /** Where the message lay. */
  readonly subject: string;
  readonly attempts: number;
  readonly reason: string;
  readonly body: Uint8Array;
}

export type DeadLetters = ReturnType<typeof createDeadLetters>;

const stream = 'DEAD';

/** What lies among the dead letters. */
export function createDeadLetters({ manager, jetstream }: BusConnection) {
  async function remove(id: number): Promise<boolean> {
    try {
      return await manager.streams.deleteMessage(stream, id, false);
    } catch (error) {
      // Somebody else has removed it, or it became too old.
      if (error instanceof JetStreamApiError && error.status < 500) return false;
      throw error;
    }
  }

  return {
    /** Those that are there now, oldest first; of one consumer or of all. */
    async *list(consumer: string | null): AsyncGenerator<DeadLetter> {
      const { last_seq: last } = (await manager.streams.info(stream)).state;
      const next_by_subj = deadLetterSubjectOf(consumer ?? '>');
      for (let seq = 1; seq <= last;) {
        // The server takes both together, the client's type only in direct reads.
        const next = { seq, next_by_subj } as MsgRequest;
        const stored = await manager.streams.getMessage(stream, next);
        if (!stored || stored.seq > last) return;
        yield letterOf(stored);
        seq = stored.seq + 1;
      }
    },

    async read(id: number): Promise<DeadLetter | null> {
      const stored = await manager.streams.getMessage(stream, { seq: id });
      return stored && letterOf(stored);
    },

    /**
     * Publishes the message again, then removes the letter. The message id is the letter's own, so that
     * the broker does not take it for the message that it has seen, and once only when this is repeated.
     */
    async replay({ id, at, subject, body }: DeadLetter): Promise<void> {
      await jetstream.publish(subject, body, { msgID: `replayed:${id}:${at.getTime()}` });
      await remove(id);
    },

    /** @returns false when it is not there (any more) */
    drop: remove,
  };
}

function letterOf({ seq, time, subject, header, data }: StoredMsg): DeadLetter {
  return {
    id: seq,
    at: time,
    consumer: subject.slice(deadLetterSubjectOf('').length),
    subject: header.get(letterHeaders.subject),
    attempts: Number(header.get(letterHeaders.attempts)),
    reason: header.get(letterHeaders.reason),
    body: data,
  };
}
