import type { ServiceName } from '@bomtrail/messages';
import type { Registry } from 'prom-client';
import type { ZodObject, z } from 'zod';
import type { Publish, PublishResult, PublishOrThrow } from '@bomtrail/messaging';
import type { BroadcastTransport, Broadcast } from '@bomtrail/messaging';
import type { DeadLetters, Queued } from '@bomtrail/messaging';
import type { EventTransport } from '@bomtrail/messaging';
import type { Request } from '@bomtrail/messaging';
import type { RpcTransport } from '@bomtrail/messaging';
import type { Database } from '@bomtrail/mongo';
import type { IndexPlan } from '@bomtrail/mongo';
import type { Logger } from '@bomtrail/telemetry';
import type { Tracer } from '@bomtrail/telemetry';
import type { Leases } from '@bomtrail/mongo';
import type { Sweep } from './sweep';

/** Connections and tools from which a service builds its adapters. */
export interface Kit {
  readonly log: Logger;
  readonly database: Database;
  readonly leases: Leases;
  readonly registry: Registry;
  /** Undefined unless tracing is enabled. */
  readonly tracer: Tracer | undefined;
  readonly request: Request;
  readonly publishOrThrow: PublishOrThrow;
  readonly publish: Publish;
  readonly publishResult: PublishResult;
  readonly broadcast: Broadcast;
  readonly queued: Queued;
  readonly deadLetters: DeadLetters;
  /** State of the connections of this process. */
  readonly checks: () => Promise<Record<string, 'up' | 'down'>>;
}

/** Result of `compose`: the transports and jobs of a service, started in this order. */
export interface Composition {
  readonly indexes?: IndexPlan;
  /** Runs after the indexes are created and before any transport opens. */
  readonly start?: () => Promise<void>;
  readonly rpc?: readonly RpcTransport[];
  readonly events?: readonly EventTransport[];
  readonly broadcasts?: readonly BroadcastTransport[];
  readonly sweeps?: readonly Sweep[];
  /** Opens other transports (REST, gRPC). They close first. */
  readonly open?: () => Promise<{ close(): Promise<void> }>;
  /** Runs after all transports are closed and their work is finished. */
  readonly stop?: () => Promise<void>;
}

/** Definition of a service, for `main.ts`. */
export interface ServiceDefinition<Schema extends ZodObject> {
  readonly name: ServiceName;
  /** Extends `commonSettings`. */
  readonly settings: Schema;
  readonly compose: (kit: Kit, settings: z.infer<Schema>) => Composition | Promise<Composition>;
}
