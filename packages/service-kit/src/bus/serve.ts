import { AppError, toWire, type RpcDefinition } from '@bomtrail/messages';
import { headers, type Msg } from '@nats-io/transport-node';
import type { SpanStart } from '../traces/span';
import { signOfLifeMs } from './ask';
import type { Attachment } from './bodies';
import { stopwatch, type QuestionEnd } from './bus-metrics';
import type { BusConnection } from './connect';
import { errorHeader, inContextOf, outgoingHeaders, patientHeader } from './headers';
import { asResponse, isUnseenIndex } from './passing';
import { createRequestQueue, requestLimits, type RequestLimits } from './request-queue';

/** What a handler answers: a body, and bytes beside it when there are any. */
export interface Reply<Response> {
  body: Response;
  attachment?: Attachment | null;
}

/** One question that a service answers. Made by `handles`, listed in the service's `rpc/`. */
export interface RpcTransport {
  readonly subject: string;
  readonly service: string;
  /** How long a caller waits that asks for no signs of life, in milliseconds. */
  readonly timeoutMs: number;
  handle(json: unknown, attachment: Uint8Array | null): Promise<Reply<unknown>>;
}

/** Binds a question to the use case that answers it; what does not fit the schema is refused. */
export function handles<Body, Response>(
  definition: RpcDefinition<Body, Response>,
  handle: (body: Body, attachment: Uint8Array | null) => Promise<Reply<Response>>,
): RpcTransport {
  return {
    subject: definition.subject,
    service: definition.service,
    timeoutMs: definition.timeoutMs,
    handle: (json, attachment) => handle(definition.request.parse(json), attachment),
  };
}

/** An open door; `close` takes no further question and waits for those in hand. */
export interface OpenRpcTransport {
  close(): Promise<void>;
}

/**
 * Opens a door: every process of the service shares its questions (a queue group). A process handles so many
 * at once and lets so many wait; what comes beyond that is answered at once that it may be asked again.
 */
export function openRpcTransport(
  bus: BusConnection,
  transport: RpcTransport,
  limits: RequestLimits = requestLimits,
): OpenRpcTransport {
  const inHand = new Set<Promise<void>>();
  const { subject } = transport;
  const { requests, rejectedRequests } = bus.metrics;
  rejectedRequests.inc({ question: subject }, 0);
  const queue = createRequestQueue(limits, ({ running, queued }) => {
    requests.set({ question: subject, state: 'running' }, running);
    requests.set({ question: subject, state: 'queued' }, queued);
  });

  function take(message: Msg): Promise<void> {
    const stillAlive = giveSignsOfLife(bus, message);
    const waited = stopwatch();
    const isPatient = stillAlive !== undefined;
    const taken = queue.enqueue(message.data.byteLength, () =>
      // Its caller has gone: whoever is busy does not work for nobody.
      !isPatient && waited() * 1000 > transport.timeoutMs
        ? reject(bus, transport, message)
        : answerMeasured(bus, transport, message),
    );
    return (taken ?? reject(bus, transport, message)).finally(() => clearInterval(stillAlive));
  }

  const subscription = bus.nats.subscribe(subject, {
    queue: transport.service,
    callback: (error, message) => {
      if (error) {
        bus.log.error({ err: error, subject }, 'A subscription failed.');
        return;
      }
      const work: Promise<void> = take(message)
        .catch((failure: unknown) => {
          bus.log.error({ err: failure, subject }, 'An answer could not be sent.');
        })
        .finally(() => inHand.delete(work));
      inHand.add(work);
    },
  });
  return {
    async close() {
      if (!bus.nats.isClosed() && !subscription.isClosed()) await subscription.drain();
      await Promise.all(inHand);
    },
  };
}

/** Says that there is no room for it, and that it may be asked again. */
async function reject(bus: BusConnection, transport: RpcTransport, message: Msg): Promise<void> {
  bus.metrics.rejectedRequests.inc({ question: transport.subject });
  const detail = `The ${transport.service} service is busy: repeat the request.`;
  const outgoing = headers();
  outgoing.set(errorHeader, '1');
  const busy = toWire(new AppError('service_unavailable', detail));
  message.respond(await bus.bodies.pack(busy, null, outgoing), { headers: outgoing });
}

/** In the context that the question came with. */
async function answerMeasured(
  bus: BusConnection,
  transport: RpcTransport,
  message: Msg,
): Promise<void> {
  const elapsed = stopwatch();
  const start = (): SpanStart => ({
    name: `answer ${transport.subject}`,
    kind: 'server',
    attributes: {
      'rpc.system': 'nats',
      'rpc.service': transport.service,
      'rpc.method': transport.subject,
    },
  });
  await inContextOf(message.headers, { tracer: bus.tracer, start }, async (span) => {
    const outcome = await answerOne(bus, transport, message);
    if (outcome === 'failed') span?.fail('internal_error');
    else span?.note({ 'bomtrail.outcome': outcome });
    bus.metrics.questions.observe({ question: transport.subject, outcome }, elapsed());
  });
}

async function answerOne(
  bus: BusConnection,
  transport: RpcTransport,
  message: Msg,
): Promise<QuestionEnd> {
  const outgoing = outgoingHeaders();
  let payload: Uint8Array;
  let end: QuestionEnd = 'answered';
  try {
    const frame = await bus.bodies.unpack(message);
    const reply = await transport.handle(frame.json, frame.attachment);
    await bus.passing?.('answering', transport.subject);
    payload = await bus.bodies.pack(reply.body, reply.attachment ?? null, outgoing);
  } catch (error) {
    const answer = asResponse(error);
    end = answer instanceof AppError && answer.code !== 'internal_error' ? 'refused' : 'failed';
    if (!(answer instanceof AppError)) {
      bus.log.error({ err: error, subject: transport.subject }, 'A request failed.');
    } else if (isUnseenIndex(error)) {
      bus.log.error(
        { err: error, subject: transport.subject },
        'A query names an index that is not there; where this lasts, restart the service to make it.',
      );
    } else if (answer !== error) {
      bus.log.warn({ err: error, subject: transport.subject }, 'What a request needs is away.');
    }
    outgoing.set(errorHeader, '1');
    payload = await bus.bodies.pack(toWire(answer), null, outgoing);
  }
  message.respond(payload, { headers: outgoing });
  return end;
}

/** A caller that waits long is told every two seconds that its question is in hand. */
function giveSignsOfLife(bus: BusConnection, message: Msg): NodeJS.Timeout | undefined {
  if (!message.headers?.has(patientHeader)) return undefined;
  const sign = headers();
  sign.set(patientHeader, '1');
  return setInterval(() => {
    if (bus.isUp()) message.respond(new Uint8Array(), { headers: sign });
  }, signOfLifeMs);
}
