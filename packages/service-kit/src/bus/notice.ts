import type { BroadcastDefinition } from '@bomtrail/messages';
import type { BusConnection } from './connect';
import { encodeFrame } from './frame';
import { outgoingHeaders } from './headers';

/** Tells whoever listens at this moment. Nothing is kept, and whether anybody heard it is not known. */
export type Broadcast = <Payload>(
  definition: BroadcastDefinition<Payload>,
  payload: Payload,
) => void;

export function createBroadcast(bus: BusConnection): Broadcast {
  return (definition, payload) => {
    // While the connection is down there is nobody to tell.
    if (!bus.isUp()) return;
    const frame = encodeFrame({ json: payload, attachment: null });
    bus.nats.publish(definition.subject, frame, { headers: outgoingHeaders() });
  };
}

/** One kind of notice that every process of a service hears. Made by `onBroadcast`. */
export interface BroadcastTransport {
  readonly subject: string;
  hear(json: unknown): void;
}

/** Binds a notice to what is done about it, which must not fail. */
export function onBroadcast<Payload>(
  definition: BroadcastDefinition<Payload>,
  hear: (payload: Payload) => void,
): BroadcastTransport {
  return {
    subject: definition.subject,
    hear: (json) => hear(definition.payload.parse(json)),
  };
}

/** Listens from now on; gives what ends it. A notice that cannot be read is a log line. */
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
        .then(({ json }) => transport.hear(json))
        .catch((error: unknown) => {
          bus.log.error({ err: error, subject: transport.subject }, 'A notice could not be read.');
        });
    },
  });
  return {
    close() {
      if (!subscription.isClosed()) subscription.unsubscribe();
    },
  };
}
