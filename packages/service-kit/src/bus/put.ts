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

/** Stores a message; where nobody takes its subject, its stream is gone and is created again first. */
export async function put(bus: BusConnection, outgoing: Outgoing): Promise<PubAck> {
  const { stream, subject, body, options } = outgoing;
  try {
    return await bus.jetstream.publish(subject, body, options);
  } catch (error) {
    if (!isTakenByNobody(error)) throw error;
    await bus.ensureStream(stream);
    return bus.jetstream.publish(subject, body, options);
  }
}

function isTakenByNobody(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof RequestError && cause.isNoResponders();
}
