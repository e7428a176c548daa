import { deadLetterSubjectOf } from '@bomtrail/messages';
import { JetStreamApiError, type MsgRequest, type StoredMsg } from '@nats-io/jetstream';
import type { BusConnection } from '../connect';
import { letterHeaders } from '../dead-letter';

/** A dead-lettered message. */
export interface DeadLetter {
  /** Sequence number in the dead-letter stream. */
  readonly id: number;
  readonly at: Date;
  readonly consumer: string;
  /** Original subject of the message. */
  readonly subject: string;
  readonly attempts: number;
  readonly reason: string;
  readonly body: Uint8Array;
}

export type DeadLetters = ReturnType<typeof createDeadLetters>;

const stream = 'DEAD';

/** Reads, replays and drops dead letters. */
export function createDeadLetters({ manager, jetstream }: BusConnection) {
  async function remove(id: number): Promise<boolean> {
    try {
      return await manager.streams.deleteMessage(stream, id, false);
    } catch (error) {
      // Removed by someone else, or expired.
      if (error instanceof JetStreamApiError && error.status < 500) return false;
      throw error;
    }
  }

  return {
    /** Yields the current dead letters after an id, of one consumer or of all, oldest first. */
    async *list(consumer: string | null, after = 0): AsyncGenerator<DeadLetter> {
      const { last_seq: last } = (await manager.streams.info(stream)).state;
      const next_by_subj = deadLetterSubjectOf(consumer ?? '>');
      for (let seq = after + 1; seq <= last;) {
        // The server accepts both fields; the client's type allows them in direct reads only.
        const next = { seq, next_by_subj } as MsgRequest;
        const stored = await manager.streams.getMessage(stream, next);
        if (!stored || stored.seq > last) return;
        yield letterOf(stored);
        seq = stored.seq + 1;
      }
    },

    /** The number of dead letters by consumer. */
    async count(): Promise<{ consumer: string; letters: number }[]> {
      const subjects_filter = deadLetterSubjectOf('>');
      const { state } = await manager.streams.info(stream, { subjects_filter });
      return Object.entries(state.subjects ?? {})
        .map(([subject, letters]) => ({ consumer: consumerIn(subject), letters }))
        .sort((one, other) => (one.consumer < other.consumer ? -1 : 1));
    },

    /** Null: no letter has this id; probes of the stream are none. */
    async read(id: number): Promise<DeadLetter | null> {
      const stored = await manager.streams.getMessage(stream, { seq: id });
      return stored?.subject.startsWith(deadLetterSubjectOf('')) ? letterOf(stored) : null;
    },

    /**
     * Publishes the message again, then removes the dead letter. Idempotent: the message id derives from the dead
     * letter, so that it differs from that of the original message.
     */
    async replay({ id, at, subject, body }: DeadLetter): Promise<void> {
      await jetstream.publish(subject, body, { msgID: `replayed:${id}:${at.getTime()}` });
      await remove(id);
    },

    /** @returns false if it does not exist */
    drop: remove,
  };
}

function consumerIn(subject: string): string {
  return subject.slice(deadLetterSubjectOf('').length);
}

function letterOf({ seq, time, subject, header, data }: StoredMsg): DeadLetter {
  return {
    id: seq,
    at: time,
    consumer: consumerIn(subject),
    subject: header.get(letterHeaders.subject),
    attempts: Number(header.get(letterHeaders.attempts)),
    reason: header.get(letterHeaders.reason),
    body: data,
  };
}
