import type { BroadcastDefinition } from '@bomtrail/messages';
import type { BusConnection } from './connect';
import { encodeFrame } from './frame';
import { outgoingHeaders } from './headers';

/** Sends a message to all current subscribers: at most once, not stored, not acknowledged. */
export type Broadcast = <Payload>(
  definition: BroadcastDefinition<Payload>,
  payload: Payload,
) => void;

export function createBroadcast(bus: BusConnection): Broadcast {
  return (definition, payload) => {
    if (!bus.isUp()) return;
    const frame = encodeFrame({ json: payload, attachment: null });
    bus.nats.publish(definition.subject, frame, { headers: outgoingHeaders() });
  };
}

/** A subscription of every process of a service to one broadcast. Made by `onBroadcast`. */
export interface BroadcastTransport {
  readonly subject: string;
  handle(json: unknown): void;
}

/** Binds a broadcast to its handler, which must not throw. */
export function onBroadcast<Payload>(
  definition: BroadcastDefinition<Payload>,
  handle: (payload: Payload) => void,
): BroadcastTransport {
  return {
    subject: definition.subject,
    handle: (json) => handle(definition.payload.parse(json)),
  };
}

/** Subscribes to a broadcast. A message that cannot be decoded is logged. */
export function openBroadcastTransport(
  bus: BusConnection,
  transport: BroadcastTransport,
): { close(): void } {
  const subscription = bus.nats.subscribe(transport.subject, {
    callback: (failed, message) => {
      if (failed) {
        bus.log.error({ err: failed, subject: transport.subject }, 'A subscription failed.');
        return;
      }
      bus.bodies
        .unpack(message)
        .then(({ json }) => transport.handle(json))
        .catch((error: unknown) => {
          bus.log.error(
            { err: error, subject: transport.subject },
            'A broadcast could not be decoded.',
          );
        });
    },
  });
  return {
    close() {
      if (!subscription.isClosed()) subscription.unsubscribe();
    },
  };
}
