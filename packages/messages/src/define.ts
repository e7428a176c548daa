import type { ZodType, z } from 'zod';

/** A question that one service answers (request/reply). `attachment`: bytes that travel beside the JSON body. */
export interface RpcDefinition<Request, Response> {
  readonly subject: string;
  /** The queue group that answers. */
  readonly service: ServiceName;
  readonly request: ZodType<Request>;
  /** How long a caller waits, in milliseconds. */
  readonly timeoutMs: number;
  readonly response?: Response;
}

/** Something that happened, or that is to be done, on a JetStream stream. */
export interface MessageDefinition<Payload> {
  /** `<area>.<past participle>.v<major>`; the subject itself may have further tokens. */
  readonly name: string;
  readonly stream: StreamName;
  readonly payload: ZodType<Payload>;
  /** The full subject of one message. */
  subjectOf(payload: Payload): string;
  /** Natural key: the same fact always has the same key (`Nats-Msg-Id`). */
  keyOf(payload: Payload): string;
  /** Which stored state says that the message has done its work. */
  readonly doneWhen: string;
  /** Which sweep sends it again while that state is not reached. */
  readonly sweptBy: string;
}

/**
 * Something that is told to whoever listens at the moment, and kept nowhere: for what may be a little late,
 * as the listener looks at the state itself from time to time.
 */
export interface BroadcastDefinition<Payload> {
  readonly subject: string;
  readonly payload: ZodType<Payload>;
}

/** A durable pull consumer of one service. */
export interface ConsumerDefinition<Payload> {
  readonly durable: string;
  readonly message: MessageDefinition<Payload>;
  readonly filterSubject: string;
  /** Messages handled at once by one process. */
  readonly concurrency: number;
  /** Deliveries before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /** Whose a message is: where many wait in a process, each of these has its turn. Absent: in the order of arrival. */
  fairnessKeyOf?(payload: Payload): string;
}

export type ServiceName = 'gateway' | 'ingest' | 'catalog' | 'scanner' | 'reconciler' | 'notifier';
export type StreamName = 'EVENTS' | 'WORK' | 'DEAD';

/** Binds a request to the type of its answer: `rpc<RpcResponse>()({ … })`. */
export function rpc<Response>() {
  return <Schema extends ZodType>(definition: {
    service: ServiceName;
    name: string;
    request: Schema;
    timeoutMs?: number;
  }): RpcDefinition<z.infer<Schema>, Response> => ({
    subject: `${definition.service}.${definition.name}`,
    service: definition.service,
    request: definition.request as ZodType<z.infer<Schema>>,
    timeoutMs: definition.timeoutMs ?? 10_000,
  });
}
