import type { MessageDefinition } from '@bomtrail/messages';
import type { BusConnection } from './connect';
import { encodeFrame } from './frame';
import { outgoingHeaders } from './headers';
import { put } from './put';

/** Puts a message on its stream; resolves when JetStream has stored it, rejects when it has not. */
export type Publish = <Payload>(
  definition: MessageDefinition<Payload>,
  payload: Payload,
) => Promise<void>;

export function createPublish(bus: BusConnection): Publish {
  return async (definition, payload) => {
    bus.passing?.('publishing', definition.name);
    await put(bus, {
      stream: definition.stream,
      subject: definition.subjectOf(payload),
      body: encodeFrame({ json: payload, attachment: null }),
      options: { msgID: definition.keyOf(payload), headers: outgoingHeaders() },
    });
    bus.passing?.('published', definition.name);
  };
}

/**
 * Publishes a message whose loss a sweep makes good: the caller need not wait, and a failure is a
 * log line, because the stored state still says that the work is open.
 */
export type Announce = <Payload>(
  definition: MessageDefinition<Payload>,
  payload: Payload,
) => Promise<void>;

export function createAnnounce(bus: BusConnection, publish: Publish): Announce {
  return async (definition, payload) => {
    try {
      await publish(definition, payload);
    } catch (error) {
      bus.log.warn(
        { message_name: definition.name, reason: (error as Error).message },
        `A message was not stored by NATS; ${definition.sweptBy} sends it again.`,
      );
    }
  };
}
