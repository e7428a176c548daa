import type { NoticeDefinition } from '@bomtrail/messages';
import type { BusConnection } from './connect';
import { encodeFrame } from './frame';
import { outgoingHeaders } from './headers';

/** Tells whoever listens at this moment. Nothing is kept, and whether anybody heard it is not known. */
export type Tell = <Payload>(definition: NoticeDefinition<Payload>, payload: Payload) => void;

export function createTell(bus: BusConnection): Tell {
  return (definition, payload) => {
    // While the connection is down there is nobody to tell.
    if (!bus.isUp()) return;
    const frame = encodeFrame({ json: payload, attachment: null });
    bus.nats.publish(definition.subject, frame, { headers: outgoingHeaders() });
  };
}

/** One kind of notice that every process of a service hears. Made by `hears`. */
export interface NoticeDoor {
  readonly subject: string;
  hear(json: unknown): void;
}

/** Binds a notice to what is done about it, which must not fail. */
export function hears<Payload>(
  definition: NoticeDefinition<Payload>,
  hear: (payload: Payload) => void,
): NoticeDoor {
  return {
    subject: definition.subject,
    hear: (json) => hear(definition.payload.parse(json)),
  };
}

/** Listens from now on; gives what ends it. A notice that cannot be read is a log line. */
export function openNoticeDoor(bus: BusConnection, door: NoticeDoor): { close(): void } {
  const subscription = bus.nats.subscribe(door.subject, {
    callback: (failed, message) => {
      if (failed) {
        bus.log.error({ err: failed, subject: door.subject }, 'A subscription failed.');
        return;
      }
      bus.bodies
        .unpack(message)
        .then(({ json }) => door.hear(json))
        .catch((error: unknown) => {
          bus.log.error({ err: error, subject: door.subject }, 'A notice could not be read.');
        });
    },
  });
  return {
    close() {
      if (!subscription.isClosed()) subscription.unsubscribe();
    },
  };
}
