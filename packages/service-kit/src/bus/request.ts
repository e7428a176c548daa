import { AppError, fromWire, type RpcDefinition, type WireError } from '@bomtrail/messages';
import { NoRespondersError, RequestError, TimeoutError, type Msg } from '@nats-io/transport-node';
import { inSpan } from '../traces/in-span';
import { ask } from './ask';
import type { Attachment } from './bodies';
import type { BusConnection } from './connect';
import { errorHeader, outgoingHeaders } from './headers';

/** An answer and the bytes that came with it. */
export interface RpcResponse<Response> {
  body: Response;
  attachment: Uint8Array | null;
}

/** Asks a service. */
export type Request = <Body, Response>(
  definition: RpcDefinition<Body, Response>,
  body: Body,
  attachment?: Attachment,
) => Promise<RpcResponse<Response>>;

/** Nobody answers: no process of the service is there, or those that are do not know the question yet. */
export class NoResponders extends AppError {}

/** How long a caller waits for a service of which no process is there, e.g. while it restarts. */
const absenceMs = 5_000;
const absencePollMs = 100;

/**
 * Makes the caller's side of request/reply. While nobody listens, nothing was delivered, so asking
 * again is safe; a time-out or a lost connection is not repeated.
 *
 * @throws AppError what the service answered, or `service_unavailable`; `NoResponders` where it was not asked
 */
export function createRequest(bus: BusConnection): Request {
  return (definition, body, attachment) =>
    inSpan(
      {
        name: `ask ${definition.subject}`,
        kind: 'client',
        attributes: {
          'rpc.system': 'nats',
          'rpc.service': definition.service,
          'rpc.method': definition.subject,
        },
      },
      () => askFor(bus, definition, { body, attachment }),
    );
}

async function askFor<Body, Response>(
  bus: BusConnection,
  definition: RpcDefinition<Body, Response>,
  { body, attachment }: { body: Body; attachment: Attachment | undefined },
): Promise<RpcResponse<Response>> {
  await bus.passing?.('asking', definition.subject);
  const outgoing = outgoingHeaders();
  const patience = Date.now() + Math.min(absenceMs, definition.timeoutMs);
  await untilUp(bus, patience);
  const payload = await unavailableOnFailure(bus.bodies.pack(body, attachment ?? null, outgoing));
  const options = { timeout: definition.timeoutMs, headers: outgoing };
  for (;;) {
    try {
      const question = { subject: definition.subject, payload, ...options };
      const answer = await ask(bus, question);
      await bus.passing?.('asked', definition.subject);
      return await readAnswer(bus, answer);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!isNobodyThere(error) || Date.now() > patience)
        throw unavailable(error, definition.service);
      await new Promise((resolve) => setTimeout(resolve, absencePollMs));
    }
  }
}

async function readAnswer<Response>(
  bus: BusConnection,
  message: Msg,
): Promise<RpcResponse<Response>> {
  const frame = await bus.bodies.unpack(message);
  if (message.headers?.has(errorHeader)) {
    throw fromWire(frame.json as WireError);
  }
  return { body: frame.json as Response, attachment: frame.attachment };
}

/** A question that is asked while the connection is away could get lost unnoticed. */
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

function isNobodyThere(error: unknown): boolean {
  return (
    error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders())
  );
}

function unavailable(error: unknown, service: string): AppError {
  const why = error instanceof TimeoutError ? 'did not answer in time' : 'is not reachable';
  const Unavailable = isNobodyThere(error) ? NoResponders : AppError;
  const detail = `The ${service} service ${why}: repeat the request.`;
  return new Unavailable('service_unavailable', detail);
}

async function unavailableOnFailure<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch {
    throw new AppError(
      'service_unavailable',
      'The message bus does not take the file: repeat the request.',
    );
  }
}
