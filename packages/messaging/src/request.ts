import { AppError, fromWire, type RpcDefinition, type WireError } from '@bomtrail/messages';
import { NoRespondersError, RequestError, TimeoutError, type Msg } from '@nats-io/transport-node';
import { inSpan } from '@bomtrail/telemetry';
import { sendRequest } from './send-request';
import type { Attachment } from './bodies';
import type { BusConnection } from './connect';
import { errorHeader, outgoingHeaders } from './headers';

/** The response of a service and its attachment. */
export interface RpcResponse<Response> {
  body: Response;
  attachment: Uint8Array | null;
}

/**
 * Sends a request to a service. `gone` aborts when the response is no longer wanted: the call is rejected with its
 * reason, and the handler of a cancellable request learns of it.
 */
export type Request = <Body, Response>(
  definition: RpcDefinition<Body, Response>,
  body: Body,
  ...more: [attachment?: Attachment, gone?: AbortSignal]
) => Promise<RpcResponse<Response>>;

/** No process of the service is subscribed to the request subject; the request was not delivered. */
export class NoResponders extends AppError {}

/** How long to retry while no process of the service is subscribed, e.g. during a restart. */
const absenceMs = 5_000;
const absencePollMs = 100;

/**
 * Creates the client side of request/reply. A request without responders was not delivered and is retried; a
 * timeout or a lost connection is not.
 *
 * @throws AppError from the service, or `service_unavailable`; `NoResponders` if the request was not delivered
 */
export function createRequest(bus: BusConnection): Request {
  return (definition, body, ...[attachment, gone]) =>
    inSpan(
      {
        name: `request ${definition.subject}`,
        kind: 'client',
        attributes: {
          'rpc.system': 'nats',
          'rpc.service': definition.service,
          'rpc.method': definition.subject,
        },
      },
      () => send(bus, definition, { body, attachment, gone }),
    );
}

async function send<Body, Response>(
  bus: BusConnection,
  definition: RpcDefinition<Body, Response>,
  {
    body,
    attachment,
    gone,
  }: { body: Body; attachment: Attachment | undefined; gone: AbortSignal | undefined },
): Promise<RpcResponse<Response>> {
  await bus.faultPoint?.('requesting', definition.subject);
  const outgoing = outgoingHeaders();
  const patience = Date.now() + Math.min(absenceMs, definition.timeoutMs);
  await untilUp(bus, patience);
  const payload = await unavailableOnFailure(bus.bodies.pack(body, attachment ?? null, outgoing));
  const options = { timeout: definition.timeoutMs, headers: outgoing };
  for (;;) {
    gone?.throwIfAborted();
    try {
      const response = await sendRequest(bus, {
        subject: definition.subject,
        payload,
        cancelSubject: definition.cancelSubject,
        gone,
        ...options,
      });
      await bus.faultPoint?.('requested', definition.subject);
      return await readResponse(bus, response);
    } catch (error) {
      gone?.throwIfAborted();
      if (error instanceof AppError) throw error;
      if (!isNoResponders(error) || Date.now() > patience)
        throw unavailable(error, definition.service);
      await new Promise((resolve) => setTimeout(resolve, absencePollMs));
    }
  }
}

async function readResponse<Response>(
  bus: BusConnection,
  message: Msg,
): Promise<RpcResponse<Response>> {
  const frame = await bus.bodies.unpack(message);
  if (message.headers?.has(errorHeader)) {
    throw fromWire(frame.json as WireError);
  }
  return { body: frame.json as Response, attachment: frame.attachment };
}

/** Waits for the connection: a request sent while it is down could get lost unnoticed. */
async function untilUp(bus: BusConnection, deadline: number): Promise<void> {
  while (!bus.isUp()) {
    if (Date.now() > deadline) {
      throw new AppError(
        'service_unavailable',
        'The message bus is not reachable: repeat the request.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, absencePollMs));
  }
}

function isNoResponders(error: unknown): boolean {
  return (
    error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())
  );
}

function unavailable(error: unknown, service: string): AppError {
  const why = error instanceof TimeoutError ? 'did not respond in time' : 'is not reachable';
  const Unavailable = isNoResponders(error) ? NoResponders : AppError;
  const detail = `The ${service} service ${why}: repeat the request.`;
  return new Unavailable('service_unavailable', detail);
}

async function unavailableOnFailure<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch {
    throw new AppError(
      'service_unavailable',
      'The message bus does not accept the file: repeat the request.',
    );
  }
}
