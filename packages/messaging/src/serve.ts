import { AppError, toWire, type RpcDefinition } from '@bomtrail/messages';
import { headers, type Msg } from '@nats-io/transport-node';
import type { SpanStart } from '@bomtrail/telemetry';
import { responderHeartbeatMs, silenceMs } from './send-request';
import type { Attachment } from './bodies';
import { stopwatch, type RequestOutcome } from './bus-metrics';
import { openCancellations } from './cancellations';
import type { BusConnection } from './connect';
import { errorHeader, inContextOf, outgoingHeaders, heartbeatHeader } from './headers';
import { asResponse, isMissingIndex } from './transient-errors';
import { createRequestQueue, requestLimits, type RequestLimits } from './request-queue';

/** Result of a request handler. */
export interface Reply<Response> {
  body: Response;
  attachment?: Attachment | null;
}

/** A request subject of a service with its handler. Made by `handles` in the service's `rpc/`. */
export interface RpcTransport {
  readonly subject: string;
  readonly service: string;
  /** Timeout of callers without heartbeats, in milliseconds. */
  readonly timeoutMs: number;
  /** Of a cancellable request. */
  readonly cancelSubject?: string | undefined;
  /** @param gone aborts when the caller has gone; never if the request is not cancellable */
  handle(json: unknown, attachment: Uint8Array | null, gone: AbortSignal): Promise<Reply<unknown>>;
}

/** Binds a request to its handler; requests that do not fit the schema are rejected. */
export function handles<Body, Response>(
  definition: RpcDefinition<Body, Response>,
  handle: (
    body: Body,
    attachment: Uint8Array | null,
    gone: AbortSignal,
  ) => Promise<Reply<Response>>,
): RpcTransport {
  return {
    subject: definition.subject,
    service: definition.service,
    timeoutMs: definition.timeoutMs,
    cancelSubject: definition.cancelSubject,
    handle: (json, attachment, gone) => handle(definition.request.parse(json), attachment, gone),
  };
}

/** The same for a use case whose result is the whole answer. */
export function answers<Body, Response>(
  definition: RpcDefinition<Body, Response>,
  useCase: (body: Body, attachment: Uint8Array | null, gone: AbortSignal) => Promise<Response>,
): RpcTransport {
  return handles(definition, async (...request) => ({ body: await useCase(...request) }));
}

/** An open request subject; `close` takes no further requests and waits for those in progress. */
export interface OpenRpcTransport {
  close(): Promise<void>;
}

/**
 * Subscribes to a request subject in the queue group of the service. Requests beyond `limits` are rejected with
 * `service_unavailable`.
 */
export function openRpcTransport(
  bus: BusConnection,
  transport: RpcTransport,
  limits: RequestLimits = requestLimits,
): OpenRpcTransport {
  const pending = new Set<Promise<void>>();
  const { subject } = transport;
  const { requests, rejectedRequests } = bus.metrics;
  rejectedRequests.inc({ method: subject }, 0);
  const queue = createRequestQueue(limits, ({ running, queued }) => {
    requests.set({ method: subject, state: 'running' }, running);
    requests.set({ method: subject, state: 'queued' }, queued);
  });

  const cancellations = openCancellations(bus, transport.cancelSubject);

  /** A process that was paused must not do what its callers have given up, and maybe repeated or undone, since. */
  const isGivenUp = (): boolean =>
    bus.pauses.waitedMs() >= Math.min(transport.timeoutMs, silenceMs);

  function take(message: Msg, gone: AbortSignal): Promise<void> {
    if (isGivenUp()) return reject(bus, transport, message);
    const heartbeat = startHeartbeat(bus, message);
    const waited = stopwatch();
    const hasHeartbeat = heartbeat !== undefined;
    const taken = queue.enqueue(message.data.byteLength, () =>
      // The caller has timed out.
      !hasHeartbeat && waited() * 1000 > transport.timeoutMs
        ? reject(bus, transport, message)
        : handleMeasured(bus, transport, { message, gone }),
    );
    return (taken ?? reject(bus, transport, message)).finally(() => clearInterval(heartbeat));
  }

  const subscription = bus.nats.subscribe(subject, {
    queue: transport.service,
    callback: (error, message) => {
      if (error) {
        bus.log.error({ err: error, subject }, 'A subscription failed.');
        return;
      }
      const work: Promise<void> = cancellations
        .track(message, (gone) => take(message, gone))
        .catch((failure: unknown) => {
          bus.log.error({ err: failure, subject }, 'A response could not be sent.');
        })
        .finally(() => pending.delete(work));
      pending.add(work);
    },
  });
  return {
    async close() {
      if (!bus.nats.isClosed() && !subscription.isClosed()) await subscription.drain();
      await Promise.all(pending);
      cancellations.close();
    },
  };
}

/** Responds with `service_unavailable`. */
async function reject(bus: BusConnection, transport: RpcTransport, message: Msg): Promise<void> {
  bus.metrics.rejectedRequests.inc({ method: transport.subject });
  const detail = `The ${transport.service} service is busy: repeat the request.`;
  const outgoing = headers();
  outgoing.set(errorHeader, '1');
  const busy = toWire(new AppError('service_unavailable', detail));
  message.respond(await bus.bodies.pack(busy, null, outgoing), { headers: outgoing });
}

/** Handles a request in the trace context of its caller and records metrics. */
async function handleMeasured(
  bus: BusConnection,
  transport: RpcTransport,
  { message, gone }: { message: Msg; gone: AbortSignal },
): Promise<void> {
  const elapsed = stopwatch();
  const start = (): SpanStart => ({
    name: `handle ${transport.subject}`,
    kind: 'server',
    attributes: {
      'rpc.system': 'nats',
      'rpc.service': transport.service,
      'rpc.method': transport.subject,
    },
  });
  await inContextOf(message.headers, { tracer: bus.tracer, start }, async (span) => {
    const outcome = await handleRequest(bus, transport, { message, gone });
    if (outcome === 'failed') span?.fail('internal_error');
    else span?.note({ 'bomtrail.outcome': outcome });
    bus.metrics.rpc.observe({ method: transport.subject, outcome }, elapsed());
  });
}

async function handleRequest(
  bus: BusConnection,
  transport: RpcTransport,
  { message, gone }: { message: Msg; gone: AbortSignal },
): Promise<RequestOutcome> {
  const outgoing = outgoingHeaders();
  let payload: Uint8Array;
  let outcome: RequestOutcome = 'answered';
  try {
    const frame = await bus.bodies.unpack(message);
    gone.throwIfAborted();
    const reply = await transport.handle(frame.json, frame.attachment, gone);
    await bus.faultPoint?.('responding', transport.subject);
    payload = await bus.bodies.pack(reply.body, reply.attachment ?? null, outgoing);
  } catch (error) {
    if (gone.aborted) return 'cancelled';
    const response = asResponse(error);
    outcome =
      response instanceof AppError && response.code !== 'internal_error' ? 'rejected' : 'failed';
    if (!(response instanceof AppError)) {
      bus.log.error({ err: error, subject: transport.subject }, 'A request failed.');
    } else if (isMissingIndex(error)) {
      bus.log.error(
        { err: error, subject: transport.subject },
        'A query uses a missing index; if this lasts, restart the service to create it.',
      );
    } else if (response !== error) {
      bus.log.warn(
        { err: error, subject: transport.subject },
        'A request failed because a dependency is down.',
      );
    }
    outgoing.set(errorHeader, '1');
    payload = await bus.bodies.pack(toWire(response), null, outgoing);
  }
  message.respond(payload, { headers: outgoing });
  return outcome;
}

/** Sends a heartbeat every two seconds if the caller supports them. */
function startHeartbeat(bus: BusConnection, message: Msg): NodeJS.Timeout | undefined {
  if (!message.headers?.has(heartbeatHeader)) return undefined;
  const heartbeat = headers();
  heartbeat.set(heartbeatHeader, '1');
  return setInterval(() => {
    if (bus.isUp()) message.respond(new Uint8Array(), { headers: heartbeat });
  }, responderHeartbeatMs);
}
