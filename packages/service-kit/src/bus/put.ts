import type { StreamName } from '@bomtrail/messages';
import type { JetStreamPublishOptions, PubAck } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';
import type { BusConnection } from './connect';

/** What is put on a stream. */
export interface Outgoing {
  readonly stream: StreamName;
  readonly subject: string;
  readonly body: Uint8Array;
  readonly options: Partial<JetStreamPublishOptions>;
}

/**
 * Stores a message; where nobody takes its subject, its stream is gone and is created again first.
 *
 * @throws what JetStream says; Error where the stream is there and does not take the subject
 */
export async function put(bus: BusConnection, outgoing: Outgoing): Promise<PubAck> {
  const { stream, subject, body, options } = outgoing;
  try {
    return await bus.jetstream.publish(subject, body, options);
  } catch (error) {
    if (!isTakenByNobody(error)) throw error;
    await bus.ensureStream(stream);
  }
  try {
    return await bus.jetstream.publish(subject, body, options);
  } catch (error) {
    if (!isTakenByNobody(error)) throw error;
    // Without its cause, which says that something is away.
    throw new Error(`The stream ${stream} is there and does not take ${subject}.`);
  }
}

function isTakenByNobody(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof RequestError && cause.isNoResponders();
}
