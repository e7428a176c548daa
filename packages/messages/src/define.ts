import type { ZodType, z } from 'zod';

/** A request that one service handles (request/reply). `attachment`: bytes beside the JSON body. */
export interface RpcDefinition<Request, Response> {
  readonly subject: string;
  /** The service, and queue group, that handles the request. */
  readonly service: ServiceName;
  /** The services that send it; NATS permits no other. */
  readonly callers: readonly ServiceName[];
  readonly request: ZodType<Request>;
  /** Timeout of the caller in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Subject on which a caller that no longer wants the response says so, with its inbox; undefined:
   * the request runs to its end.
   */
  readonly cancelSubject?: string;
  readonly response?: Response;
}

/** The body of a request. */
export type RequestOf<Definition> =
  Definition extends RpcDefinition<infer Request, unknown> ? Request : never;

/** An event or work item on a JetStream stream. */
export interface MessageDefinition<Payload> {
  /** `<area>.<past participle>.v<major>`; the subject may have further tokens. */
  readonly name: string;
  readonly stream: StreamName;
  /** The services that publish it; NATS permits no other. */
  readonly publishers: readonly ServiceName[];
  readonly payload: ZodType<Payload>;
  /** The full subject of one message. */
  subjectOf(payload: Payload): string;
  /** Natural key (`Nats-Msg-Id`): equal for the same fact. */
  keyOf(payload: Payload): string;
  /** The stored state that shows that the message is processed. */
  readonly doneWhen: string;
  /** The sweep that publishes it again until that state is reached. */
  readonly sweptBy: string;
}

/**
 * A message to all current listeners that is not stored; for hints, because listeners also poll the
 * state.
 */
export interface BroadcastDefinition<Payload> {
  readonly subject: string;
  readonly publishers: readonly ServiceName[];
  readonly listeners: readonly ServiceName[];
  readonly payload: ZodType<Payload>;
}

/** A durable pull consumer of one service. */
export interface ConsumerDefinition<Payload> {
  /** `<service>-<what>`. */
  readonly durable: string;
  readonly service: ServiceName;
  /** Other services that read its length. */
  readonly watchers: readonly ServiceName[];
  readonly message: MessageDefinition<Payload>;
  readonly filterSubject: string;
  /** Messages that one process handles concurrently. */
  readonly concurrency: number;
  /** Deliveries before a message becomes a dead letter. */
  readonly maxAttempts: number;
  /**
   * Key for fair scheduling: waiting messages of different keys take turns. Absent: order of
   * arrival.
   */
  fairnessKeyOf?(payload: Payload): string;
}

export const serviceNames = [
  'gateway',
  'ingest',
  'catalog',
  'scanner',
  'reconciler',
  'notifier',
] as const;
export type ServiceName = (typeof serviceNames)[number];
export type StreamName = 'EVENTS' | 'WORK' | 'DEAD';

/** Binds a request to the type of its response: `rpc<RpcResponse>()({ … })`. */
export function rpc<Response>() {
  return <Schema extends ZodType>(definition: {
    service: ServiceName;
    callers: readonly ServiceName[];
    name: string;
    request: Schema;
    timeoutMs?: number;
    /** Its handler stops when the caller has gone. It must change nothing. */
    cancellable?: boolean;
  }): RpcDefinition<z.infer<Schema>, Response> => ({
    subject: `${definition.service}.${definition.name}`,
    service: definition.service,
    callers: definition.callers,
    request: definition.request as ZodType<z.infer<Schema>>,
    timeoutMs: definition.timeoutMs ?? 10_000,
    ...(definition.cancellable && {
      cancelSubject: `${definition.service}.cancelled.${definition.name}`,
    }),
  });
}
