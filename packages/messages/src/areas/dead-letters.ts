import { z } from 'zod';
import { rpc, type ServiceName, type StreamName } from '../define';

/** A dead-lettered message, without its body. */
export interface DeadLetterView {
  /** Sequence number in the stream `DEAD`. */
  id: number;
  dead_lettered_at: string;
  /** The consumer that gave the message up. */
  consumer: string;
  /** Service and stream of the consumer; null: this release does not have it. */
  service: ServiceName | null;
  stream: StreamName | null;
  subject: string;
  attempts: number;
  /** May have internal details, but no credentials. */
  reason: string;
}

/** Number of dead letters of a consumer. */
export interface DeadLetterCount {
  consumer: string;
  letters: number;
}

const letterId = z.object({ id: z.number().int().min(1) });

/** The next dead letters after an id, oldest first. */
export const listDeadLetters = rpc<{
  items: DeadLetterView[];
  has_more: boolean;
  consumers: DeadLetterCount[];
}>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'list-dead-letters.v1',
  request: z.object({
    consumer: z.string().max(100).nullable(),
    after: z.number().int().min(0),
    limit: z.number().int().min(1).max(200),
  }),
  timeoutMs: 30_000,
});

/**
 * A dead letter with its message; `base64`: the bytes of one that cannot be decoded.
 * Errors: `dead_letter_not_found`.
 */
export const readDeadLetter = rpc<{
  letter: DeadLetterView;
  message: unknown;
  base64: string | null;
}>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'read-dead-letter.v1',
  request: letterId,
});

/**
 * Publishes the message again and removes the letter. Errors: `dead_letter_not_found`,
 * `dead_letter_not_replayable`.
 */
export const replayDeadLetter = rpc<{ replayed: true }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'replay-dead-letter.v1',
  request: letterId,
});

/** Removes the letter without doing the work. Errors: `dead_letter_not_found`. */
export const deleteDeadLetter = rpc<{ deleted: true }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'delete-dead-letter.v1',
  request: letterId,
});
