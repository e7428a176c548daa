import type { StreamName } from '@bomtrail/messages';
import { JetStreamApiError, type JetStreamPublishOptions, type PubAck } from '@nats-io/jetstream';
import { RequestError, TimeoutError } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BusConnection } from './connect';
import { duplicateInProcess } from './passing';
import { covers } from './subjects';

/** What is put on a stream. */
export interface Outgoing {
  readonly stream: StreamName;
  readonly subject: string;
  readonly body: Uint8Array;
  /** With a message id, by which the stream knows a repetition. */
  readonly options: Partial<JetStreamPublishOptions> & { msgID: string };
}

/** Servers of a cluster that lost a stream's leader have another one after 4 to 10 seconds. */
const electionMs = 15_000;
/** Whoever asks so long after a stream began to refuse sees another trouble, or a long one. */
const forgottenMs = 60_000;
const againMs = 250;

/**
 * Stores a message; where nobody takes its subject, its stream is gone and is created again first, or its
 * leader is, and it is tried again until there is another one. A stream that takes nothing for longer than
 * that is not waited for by each message anew: two tries, and it fails.
 *
 * @throws what JetStream says; Error where the stream is there and does not take the subject
 */
export async function put(bus: BusConnection, outgoing: Outgoing): Promise<PubAck> {
  const { stream, subject, body, options } = outgoing;
  for (let tries = 1; ; tries++) {
    try {
      const ack = await bus.jetstream.publish(subject, body, options);
      bus.refusing.delete(stream);
      return ack;
    } catch (error) {
      const isNobodyThere = isTakenByNobody(error);
      if (!isNobodyThere && !isUnknown(error)) throw error;
      if (isNobodyThere && tries > 1 && (await isNoneOfIts(bus, outgoing))) {
        bus.refusing.delete(stream);
        // Without its cause, which says that something is away.
        throw new Error(`The stream ${stream} is there and does not take ${subject}.`);
      }
      if (isOver(bus, stream) && tries > 1) throw error;
      if (isNobodyThere) await bus.ensureStream(stream).catch(() => undefined);
      if (tries > 1) await sleep(againMs);
    }
  }
}

/** Is the stream there, and does it not take the subject, whoever leads it? */
async function isNoneOfIts(
  { manager }: BusConnection,
  { stream, subject }: Outgoing,
): Promise<boolean> {
  try {
    const { config } = await manager.streams.info(stream);
    return !config.subjects.some((one) => covers(one, subject));
  } catch {
    return false;
  }
}

/** Has the stream refused for longer than an election takes? */
function isOver({ refusing }: BusConnection, stream: StreamName): boolean {
  const now = Date.now();
  const since = refusing.get(stream);
  if (since !== undefined && now - since <= forgottenMs) return now - since > electionMs;
  refusing.set(stream, now);
  return false;
}

/** May the message be stored all the same? The same one, put again, brings the answer. */
function isUnknown(error: unknown): boolean {
  const isOnItsWay = error instanceof JetStreamApiError && error.code === duplicateInProcess;
  return isOnItsWay || error instanceof TimeoutError;
}

function isTakenByNobody(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof RequestError && cause.isNoResponders();
}
