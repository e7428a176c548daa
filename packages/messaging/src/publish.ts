import type { MessageDefinition } from '@bomtrail/messages';
import { createSeldomWarning, inSpan } from '@bomtrail/telemetry';
import type { BusConnection } from './connect';
import { encodeFrame } from './frame';
import { outgoingHeaders } from './headers';
import { retryPolicyOf } from './transient-errors';
import { storeMessage } from './store-message';

/** Publishes a message. Resolves when JetStream has stored it, rejects otherwise. */
export type PublishOrThrow = <Payload>(
  definition: MessageDefinition<Payload>,
  payload: Payload,
) => Promise<void>;

export function createPublishOrThrow(bus: BusConnection): PublishOrThrow {
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
        await bus.faultPoint?.('publishing', definition.name);
        await storeMessage(bus, {
          stream: definition.stream,
          subject: definition.subjectOf(payload),
          body: encodeFrame({ json: payload, attachment: null }),
          options: { msgID: definition.keyOf(payload), headers: outgoingHeaders() },
        });
        await bus.faultPoint?.('published', definition.name);
      },
    );
}

/**
 * Publishes a message that a sweep repeats: failures are logged, never thrown. Resolves to false if NATS did
 * not store the message and a later attempt may succeed.
 */
export type Publish = <Payload>(
  definition: MessageDefinition<Payload>,
  payload: Payload,
) => Promise<boolean>;

export function createPublish(bus: BusConnection, publishOrThrow: PublishOrThrow): Publish {
  const logFailure = createFailureLog(bus);
  return async (definition, payload) => {
    try {
      await publishOrThrow(definition, payload);
      return true;
    } catch (error) {
      logFailure(definition, error);
      return retryPolicyOf(error) !== 'unlimited';
    }
  };
}

/**
 * Publishes the result of handling another message. A transient error is logged, and a sweep repeats the
 * message; a permanent error is thrown, so that the handled message is dead-lettered with the reason.
 */
export type PublishResult = PublishOrThrow;

export function createPublishResult(
  bus: BusConnection,
  publishOrThrow: PublishOrThrow,
): PublishResult {
  const logFailure = createFailureLog(bus);
  return async (definition, payload) => {
    try {
      await publishOrThrow(definition, payload);
    } catch (error) {
      if (retryPolicyOf(error) !== 'unlimited') throw error;
      logFailure(definition, error);
    }
  };
}

type LogFailure = (
  definition: Pick<MessageDefinition<unknown>, 'name' | 'sweptBy'>,
  error: unknown,
) => void;

/** While NATS is away every upload fails to publish. */
function createFailureLog(bus: BusConnection): LogFailure {
  const warn = createSeldomWarning(bus.log);
  return ({ name, sweptBy }, error) => {
    const fields = { message_name: name, reason: (error as Error).message };
    if (retryPolicyOf(error) === 'unlimited')
      warn(fields, `NATS did not store a message; ${sweptBy} sends it again.`);
    else bus.log.error(fields, 'NATS rejects a message permanently.');
  };
}
