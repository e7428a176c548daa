import { AppError, type StreamName } from '@bomtrail/messages';
import { JetStreamApiError, type JetStreamPublishOptions, type PubAck } from '@nats-io/jetstream';
import { RequestError, TimeoutError } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BusConnection } from './connect';
import { duplicateInProcess } from './passing';
import { beginsToRefuse, saysStreamStoresNothing } from './stream-health';
import { covers } from './subjects';

/** What is put on a stream. */
export interface Outgoing {
  readonly stream: StreamName;
  readonly subject: string;
  readonly body: Uint8Array;
  /** With a message id, by which the stream knows a repetition. */
  readonly options: Partial<JetStreamPublishOptions> & { msgID: string };
}

const againMs = 250;

/**
 * Stores a message; where nobody takes its subject, its stream is gone and is created again first, or its
 * leader is, and it is tried again until there is another one. A stream that takes nothing for longer than
 * that is not waited for by each message anew: two tries, and it fails; none, where its probes fail, too.
 *
 * @throws what JetStream says; AppError `service_unavailable` where the stream stores nothing; Error where the stream is there and does not take the subject
 */
export async function put(bus: BusConnection, outgoing: Outgoing): Promise<PubAck> {
  const { stream, subject, body, options } = outgoing;
  if (bus.health.isFailing(stream))
    throw new AppError('service_unavailable', `NATS stores nothing on the stream ${stream}.`);
  for (let tries = 1; ; tries++) {
    try {
      const ack = await bus.jetstream.publish(subject, body, options);
      bus.refusing.delete(stream);
      return ack;
    } catch (error) {
      const isNobodyThere = isTakenByNobody(error);
      if (!isNobodyThere && !isUnknown(error)) {
        // Not the message's fault: the disk is full, or the account.
        if (saysStreamStoresNothing(error)) beginsToRefuse(bus, stream);
        throw error;
      }
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

/** Has the stream refused for longer than a choice of another leader takes? */
function isOver(bus: BusConnection, stream: StreamName): boolean {
  beginsToRefuse(bus, stream);
  return Date.now() - (bus.refusing.get(stream) ?? Date.now()) > bus.health.graceMs();
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
