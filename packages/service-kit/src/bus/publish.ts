import type { MessageDefinition } from '@bomtrail/messages';
import { inSpan } from '../traces/in-span';
import type { BusConnection } from './connect';
import { encodeFrame } from './frame';
import { outgoingHeaders } from './headers';
import { retryOf } from './passing';
import { put } from './put';

/** Puts a message on its stream; resolves when JetStream has stored it, rejects when it has not. */
export type Publish = <Payload>(
  definition: MessageDefinition<Payload>,
  payload: Payload,
) => Promise<void>;

export function createPublish(bus: BusConnection): Publish {
  return (definition, payload) =>
    inSpan(
      {
        name: `publish ${definition.name}`,
        kind: 'producer',
        attributes: {
          'messaging.system': 'nats',
          'messaging.operation.type': 'send',
          'messaging.destination.name': definition.name,
        },
      },
      async () => {
        await bus.passing?.('publishing', definition.name);
        await put(bus, {
          stream: definition.stream,
          subject: definition.subjectOf(payload),
          body: encodeFrame({ json: payload, attachment: null }),
          options: { msgID: definition.keyOf(payload), headers: outgoingHeaders() },
        });
        await bus.passing?.('published', definition.name);
      },
    );
}

/**
 * Publishes a message whose loss a sweep makes good: the caller need not wait, and a failure is a
 * log line, because the stored state still says that the work is open. Gives false where NATS did not store
 * it and may do so later.
 */
export type Announce = <Payload>(
  definition: MessageDefinition<Payload>,
  payload: Payload,
) => Promise<boolean>;

export function createAnnounce(bus: BusConnection, publish: Publish): Announce {
  return async (definition, payload) => {
    try {
      await publish(definition, payload);
      return true;
    } catch (error) {
      tell(bus, definition, error);
      return retryOf(error) !== 'again';
    }
  };
}

/**
 * Publishes what the handling of another message has come to: where NATS is away, a sweep makes it good;
 * what NATS refuses for good is thrown, so that the message at hand is given up with the reason. Without
 * that its work would be done again with every sweep, and nobody would hear of it.
 */
export type PublishResult = Publish;

export function createPublishResult(bus: BusConnection, publish: Publish): PublishResult {
  return async (definition, payload) => {
    try {
      await publish(definition, payload);
    } catch (error) {
      if (retryOf(error) !== 'again') throw error;
      tell(bus, definition, error);
    }
  };
}

function tell(
  bus: BusConnection,
  definition: Pick<MessageDefinition<unknown>, 'name' | 'sweptBy'>,
  error: unknown,
): void {
  const what = { message_name: definition.name, reason: (error as Error).message };
  if (retryOf(error) === 'again')
    bus.log.warn(what, `A message was not stored by NATS; ${definition.sweptBy} sends it again.`);
  else bus.log.error(what, 'NATS refuses a message, and will refuse it again.');
}
