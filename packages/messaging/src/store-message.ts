import { AppError, type StreamName } from '@bomtrail/messages';
import { JetStreamApiError, type JetStreamPublishOptions, type PubAck } from '@nats-io/jetstream';
import { RequestError, TimeoutError } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BusConnection } from './connect';
import { duplicateInProcess } from './transient-errors';
import { markRefusing, indicatesStreamFailure } from './stream-health';
import { covers } from './subjects';

/** A message to store on a stream. */
export interface Outgoing {
  readonly stream: StreamName;
  readonly subject: string;
  readonly body: Uint8Array;
  /** `msgID` is the key for deduplication. */
  readonly options: Partial<JetStreamPublishOptions> & { msgID: string };
}

const retryMs = 250;

/**
 * Stores a message on its stream. Without responders a missing stream is created, and the message is retried until
 * a leader is elected. A stream that fails for longer gets two tries per message; none while its probes fail.
 *
 * @throws JetStream errors; AppError `service_unavailable` if the stream fails; Error if the existing stream does
 *   not accept the subject
 */
export async function storeMessage(bus: BusConnection, outgoing: Outgoing): Promise<PubAck> {
  const { stream, subject, body, options } = outgoing;
  if (bus.health.isFailing(stream))
    throw new AppError(
      'service_unavailable',
      `NATS cannot store messages on the stream ${stream}.`,
    );
  for (let tries = 1; ; tries++) {
    try {
      const ack = await bus.jetstream.publish(subject, body, options);
      bus.refusing.delete(stream);
      return ack;
    } catch (error) {
      const isUnserved = isNoResponders(error);
      if (!isUnserved && !isOutcomeUnknown(error)) {
        // The disk or the account is full: not caused by the message.
        if (indicatesStreamFailure(error)) markRefusing(bus, stream);
        throw error;
      }
      if (isUnserved && tries > 1 && (await rejectsSubject(bus, outgoing))) {
        bus.refusing.delete(stream);
        // Without its cause, which would count as transient.
        throw new Error(`The stream ${stream} exists but does not accept ${subject}.`);
      }
      if (isGracePeriodOver(bus, stream) && tries > 1) throw error;
      if (isUnserved) await bus.ensureStream(stream).catch(() => undefined);
      if (tries > 1) await sleep(retryMs);
    }
  }
}

/** True if the stream exists and its subjects do not include this one. */
async function rejectsSubject(
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

/** True if the stream has rejected messages for longer than an election takes. */
function isGracePeriodOver(bus: BusConnection, stream: StreamName): boolean {
  markRefusing(bus, stream);
  return Date.now() - (bus.refusing.get(stream) ?? Date.now()) > bus.health.graceMs();
}

/** True if the message may have been stored; publishing it again gives the result. */
function isOutcomeUnknown(error: unknown): boolean {
  const isDuplicate = error instanceof JetStreamApiError && error.code === duplicateInProcess;
  return isDuplicate || error instanceof TimeoutError;
}

function isNoResponders(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof RequestError && cause.isNoResponders();
}
