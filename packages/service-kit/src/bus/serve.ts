import { AppError, toWire, type RpcDefinition } from '@bomtrail/messages';
import { headers, type Msg, type Subscription } from '@nats-io/transport-node';
import { signOfLifeMs } from './ask';
import type { Attachment } from './attachments';
import type { BusConnection } from './connect';
import { decodeFrame, encodeFrame } from './frame';
import {
  attachmentHeader,
  errorHeader,
  inContextOf,
  outgoingHeaders,
  patientHeader,
} from './headers';

/** What a handler answers: a body, and bytes beside it when there are any. */
export interface Reply<Response> {
  body: Response;
  attachment?: Attachment | null;
}

/** One question that a service answers. Made by `answers`, listed in the service's `rpc/`. */
export interface RpcDoor {
  readonly subject: string;
  readonly service: string;
  handle(json: unknown, attachment: Uint8Array | null): Promise<Reply<unknown>>;
}

/** Binds a question to the use case that answers it; what does not fit the schema is refused. */
export function answers<Body, Response>(
  definition: RpcDefinition<Body, Response>,
  handle: (body: Body, attachment: Uint8Array | null) => Promise<Reply<Response>>,
): RpcDoor {
  return {
    subject: definition.subject,
    service: definition.service,
    handle: (json, attachment) => handle(definition.request.parse(json), attachment),
  };
}

/** Opens a door: every process of the service shares its questions (a queue group). */
export function openRpcDoor(bus: BusConnection, door: RpcDoor): Subscription {
  return bus.nats.subscribe(door.subject, {
    queue: door.service,
    callback: (error, message) => {
      if (error) bus.log.error({ err: error, subject: door.subject }, 'A subscription failed.');
      else void inContextOf(message.headers, () => answerOne(bus, door, message));
    },
  });
}

async function answerOne(bus: BusConnection, door: RpcDoor, message: Msg): Promise<void> {
  const outgoing = outgoingHeaders();
  const stillAlive = giveSignsOfLife(message);
  let payload: Uint8Array;
  try {
    const frame = decodeFrame(message.data);
    const object = message.headers?.get(attachmentHeader);
    const attachment = object ? await bus.attachments.unpack(object) : frame.attachment;
    const reply = await door.handle(frame.json, attachment);
    const packed = reply.attachment ? await bus.attachments.pack(reply.attachment) : null;
    if (packed && 'object' in packed) outgoing.set(attachmentHeader, packed.object);
    payload = encodeFrame({
      json: reply.body,
      attachment: packed && 'inline' in packed ? packed.inline : null,
    });
  } catch (error) {
    if (!(error instanceof AppError))
      bus.log.error({ err: error, subject: door.subject }, 'A request failed.');
    outgoing.set(errorHeader, '1');
    payload = encodeFrame({ json: toWire(error), attachment: null });
  } finally {
    clearInterval(stillAlive);
  }
  message.respond(payload, { headers: outgoing });
}

/** A caller that waits long is told every two seconds that its question is in hand. */
function giveSignsOfLife(message: Msg): NodeJS.Timeout | undefined {
  if (!message.headers?.has(patientHeader)) return undefined;
  const sign = headers();
  sign.set(patientHeader, '1');
  return setInterval(() => message.respond(new Uint8Array(), { headers: sign }), signOfLifeMs);
}
